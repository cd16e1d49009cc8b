-- A card was drawn. ARGV: thread, card, number drawn, message, further ids bound to the thread, and of a card that is
-- shown in two rooms the id under which both find the thread, and "1" in its home room.
-- Answer: "ok" or "lost", then claims: the lane again if a newer view came meanwhile.
local thread, card, number, message, bind = arg(), arg(), tonumber(arg()), arg(), list()
local group, home = arg(), arg() == '1'
local queue = 'c|' .. thread .. '|' .. card
local view, holder = view_key(thread), holder_key(queue)
local h = call('HMGET', view, 'k:' .. card, 'n:' .. card, 'm:' .. card)
local session = call('HMGET', session_key(thread), 'room', 'sequence')
local room, sequence = session[1] or '', session[2] or '0'

local by, outcome = string.match(h[1] or '', '^([^\30]*)\30(.*)$')
if by == TOKEN then
  admit()
  call('HSET', view, 'k:' .. card, h[1])
  return {outcome, '', '', held(queue)}
end

local holds = call('HGET', holder, 't') == TOKEN
local waiting = call('ZSCORE', due, queue)
if message ~= '' then bind[#bind + 1] = message end
if room == '' or (group ~= '' and not home) then bind = {} end
if room == '' then group = '' end
for _, id in ipairs(bind) do touch(card_key(room, id)) end
local grouped = group ~= '' and card_key(room, group)
-- A thread that was opened on the card since keeps it.
if grouped then touch(grouped) end
touch(queue_key('t|' .. thread))

admit()
for _, id in ipairs(bind) do call('SET', card_key(room, id), grouped and SAME .. group or thread, 'EX', CARD_S) end
if grouped then
  call('SET', grouped, thread, 'NX', 'EX', CARD_S)
  call('EXPIRE', grouped, CARD_S)
end

if not h[2] then
  -- The thread's views are garbage already.
  if holds then closed(thread, queue) end
  return {'ok', '', ''}
end

if not holds then
  -- What was drawn late may cover a newer view. A new number makes whoever holds the lane draw once more.
  call('HSET', view, 'k:' .. card, TOKEN .. SEP .. 'lost', 'n:' .. card, h[2] + 1)
  if message ~= '' and not h[3] then call('HSET', view, 'm:' .. card, message) end
  if not waiting then
    call('ZADD', due, now, queue)
    call('PERSIST', view)
    call('PERSIST', session_key(thread))
    if call('HGET', session_key(thread), 'open') then call('HINCRBY', session_key(thread), 'open', 1) end
  end
  return {'lost', '', ''}
end

-- `s`: how many events had come in when this was told. Whoever wrote one of them need not have seen it.
call('HSET', view, 'k:' .. card, TOKEN .. SEP .. 'ok', 'd:' .. card, number, 's:' .. card, sequence)
if message ~= '' and message ~= h[3] then call('HSET', view, 'm:' .. card, message) end
if tonumber(h[2]) > number then return {'ok', '', '', take(queue, true)} end
closed(thread, queue)
return {'ok', '', ''}
