-- One event on its way in. Answer: what was done, thread, "1" for the first refusal in a while, claims.
local a = arrival()
local seen = seen_key(a.room, a.id)
local mark = call('GET', seen)
if mark then
  local token, taken, thread, left = string.match(mark, '^([^\30]*)\30([^\30]*)\30([^\30]*)\30(.*)$')
  admit()
  -- A write, so that a WAIT on this connection covers what the first delivery wrote.
  call('SET', seen, mark, 'KEEPTTL')
  if token ~= TOKEN then return {'duplicate', thread, '0'} end
  local answer = {taken, thread, '0'}
  if thread ~= '' then answer[#answer + 1] = held('t|' .. thread) end
  if left ~= '' then answer[#answer + 1] = held('t|' .. left) end
  return answer
end

local d = look(a)
if d.taken == 'unread' then return {'unread', '', '0'} end
-- Nothing is stored here, not even a mark: only where the card is at home it is known whether the event is a new one.
if d.taken == 'elsewhere' then return {'elsewhere', d.thread, '0'} end
if d.taken ~= 'ignore' and a.cap > 0 and d.length >= a.cap then
  local session = session_key(d.thread)
  local at_ms, by = string.match(call('HGET', session, 'refused') or '', '^(%d+)\30(.*)$')
  local first = not at_ms or by == TOKEN or now - tonumber(at_ms) > NOTICE_MS
  if first then call('HSET', session, 'refused', now .. SEP .. TOKEN) end
  return {'full', d.thread, first and '1' or '0'}
end

call('SET', seen, TOKEN .. SEP .. d.taken .. SEP .. d.thread .. SEP .. (d.left or ''), 'EX', SEEN_S)
local claims = {}
route(a, d, claims)
return {d.taken, d.thread, '0', unpack(claims)}
