-- Puts a summary in the place of the one that was read, unless it has changed since or is gone. ARGV: thread, what was
-- read, what it becomes. Answer: 1 where it holds now, else 0.
local thread, was, becomes = arg(), arg(), arg()
local key = P .. 'summary:' .. thread
local held = call('GET', key)
if held ~= was and held ~= becomes then return 0 end
admit()
-- Also in a second run, so that a WAIT on this connection covers what the first one wrote.
call('SET', key, becomes, 'KEEPTTL')
return 1
