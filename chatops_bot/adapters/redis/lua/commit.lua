-- All that one turn changes. ARGV: thread, entry, version, audit, then "move" with an arrival, or "commit"
-- with session, state, lock, asks, public, wake, keep, summary, filed, release, cards (3 each), work (2 each),
-- incidents (see incidents.lua). `filed` are the names under which the summary is found, see `ended_keys`.
-- Answer: "ok" or "lost", what became of a moved event, its thread, claims.
local thread, head, version, audit, mode = arg(), arg(), arg(), list(), arg()
local queue = 't|' .. thread
local session, entries, holder = session_key(thread), queue_key(queue), holder_key(queue)
local s = call('HMGET', session, 'commit', 'version', 'open', 'room', 'guess', 'leaving')
local length = call('LLEN', entries)
local waits = length > 1
local room = s[4] or ''

-- Users whose pointers leave this thread once nothing waits in it, each name ended by SEP.
local leaving = s[6] or ''
local function look_at_pointers()
  for user in string.gmatch(leaving, '[^\30]+') do touch(current_key(room, user)) end
end
local function leave()
  local users = call('HGET', session, 'leaving')
  if not users then return end
  for user in string.gmatch(users, '[^\30]+') do
    local pointer = current_key(room, user)
    local heir = call('HGET', session, 'heir:' .. user)
    local leads = call('GET', pointer)
    if heir and (not leads or leads == thread) then
      call('SET', pointer, heir)
    elseif leads == thread then
      call('DEL', pointer)
    end
  end
  call('HDEL', session, 'leaving')
end

-- Ended conversations by when they ended: those of the shard, those of the room (under ""), and those of the room
-- that are about one entity (under its key). The first end counts, however often the summary is written anew.
local function ended_keys(names)
  local found = {}
  for _, name in ipairs(names) do
    if name == '' then found[P .. 'ended'] = thread .. '|' .. room end
    found[P .. 'ended:' .. room .. '|' .. name] = thread
  end
  return found
end
local function file(found)
  for key, member in pairs(found) do
    call('ZADD', key, 'NX', now, member)
    call('ZREMRANGEBYSCORE', key, '-inf', now - SUMMARY_S * 1000)
    call('EXPIRE', key, SUMMARY_S)
  end
end

local function mine()
  return call('HGET', holder, 't') == TOKEN
    and entry_id(call('LINDEX', entries, 0)) == head
    and (s[2] or '0') == version
end

-- What follows in this mailbox is taken at once; an empty one is put away.
local function go_on(claims)
  if waits then
    claims[#claims + 1] = take(queue, true)
  else
    call('ZREM', due, queue)
    call('DEL', holder)
  end
end

local function answer(taken, to, claims) return {'ok', taken, to, unpack(claims)} end

local done, taken, to, left = string.match(s[1] or '', '^([^\30]*)\30([^\30]*)\30([^\30]*)\30(.*)$')
local again = done == TOKEN
if again then
  admit()
  call('HSET', session, 'commit', s[1])
end
if not again and not mine() then return {'lost', '', ''} end

if mode == 'move' then
  local a = arrival()
  a.from = thread
  local claims = {}
  if again then
    if to ~= '' then claims[#claims + 1] = held('t|' .. to) end
    if left ~= '' then claims[#claims + 1] = held('t|' .. left) end
    claims[#claims + 1] = held(queue)
    return answer(taken, to, claims)
  end
  local d = look(a)
  local seen = seen_key(a.room, a.id)
  local mark = call('GET', seen)
  if #audit > 0 then audit_fits() end
  look_at_pointers()
  call('LPOP', entries)
  call('HSET', session, 'commit', table.concat({TOKEN, d.taken, d.thread, d.left or ''}, SEP))
  if mark then call('SET', seen, table.concat({TOKEN, d.taken, d.thread, d.left or ''}, SEP), 'KEEPTTL') end
  if d.queue == queue then
    -- It comes back to the end of this very mailbox, which is still held.
    waits, d.free = true, false
  end
  route(a, d, claims)
  if not waits then leave() end
  go_on(claims)
  if not waits and call('HGET', session, 'state') == 'archived' and tonumber(s[3] or 0) <= 0 then
    forget(thread)
  end
  chain(audit)
  return answer(d.taken, d.thread, claims)
end

local body, state, lock, asks, public = arg(), arg(), arg(), arg(), arg()
local wake, keep, summary, filed, release = tonumber(arg()), arg(), arg(), list(), list()
local cards, work, lanes = {}, {}, {}
local wanted = {}
for i = 1, tonumber(arg()) do
  cards[i] = {name = arg(), view = arg(), message = arg()}
  cards[i].queue = 'c|' .. thread .. '|' .. cards[i].name
  lanes[#lanes + 1] = cards[i]
  wanted[i] = 'n:' .. cards[i].name
end
for i = 1, tonumber(arg()) do
  work[i] = {id = arg(), body = arg()}
  work[i].queue = 'w|' .. thread .. '|' .. work[i].id
  lanes[#lanes + 1] = work[i]
end
local incidents = incident_changes()

if again then
  local claims = {}
  for _, lane in ipairs(lanes) do claims[#claims + 1] = held(lane.queue) end
  claims[#claims + 1] = held(queue)
  return answer('', '', claims)
end

-- Reads.
local opened = tonumber(s[3] or 0)
for _, lane in ipairs(lanes) do
  touch(queue_key(lane.queue), holder_key(lane.queue))
  lane.free = not call('ZSCORE', due, lane.queue)
  if lane.free then opened = opened + 1 end
end
local numbers = #cards > 0 and call('HMGET', view_key(thread), unpack(wanted)) or {}
for _, card in ipairs(cards) do
  if card.message ~= '' then touch(card_key(room, card.message)) end
end
for _, user in ipairs(release) do leaving = leaving .. user .. SEP end
look_at_pointers()
touch(P .. 'summary:' .. thread, view_key(thread))
local files = ended_keys(filed)
for key in pairs(files) do touch(key) end
touch_incidents(incidents)
if #audit > 0 then audit_fits() end

-- Writes: the head's removal first, which frees memory.
call('LPOP', entries)
call('HSET', session,
  'version', version + 1, 'commit', TOKEN .. SEP .. SEP .. SEP, 'body', body, 'schema', SCHEMA,
  'state', state, 'lock', lock, 'asks', asks, 'public', public, 'keep', keep, 'open', opened,
  'guess', waits and s[5] or '')
local views = {}
for i, card in ipairs(cards) do
  local number = (tonumber(numbers[i]) or 0) + 1
  for _, value in ipairs({'n:' .. card.name, number, 'v:' .. card.name, card.view}) do views[#views + 1] = value end
  if card.message ~= '' then
    views[#views + 1] = 'm:' .. card.name
    views[#views + 1] = card.message
    call('SET', card_key(room, card.message), thread, 'EX', CARD_S)
  end
end
if #views > 0 then call('HSET', view_key(thread), unpack(views)) end
for _, piece in ipairs(work) do call('RPUSH', queue_key(piece.queue), entry(piece.id, 0, false, '', piece.body)) end
local claims = {}
for _, lane in ipairs(lanes) do
  if lane.free then claims[#claims + 1] = take(lane.queue, true) end
end
if wake > 0 then call('ZADD', due, wake, 'x|' .. thread) else call('ZREM', due, 'x|' .. thread) end
if leaving ~= '' then
  call('HSET', session, 'leaving', leaving)
  if not (waits and state == 'archived') then leave() end
end
if summary ~= '' then call('SET', P .. 'summary:' .. thread, summary, 'EX', SUMMARY_S) end
file(files)
for _, change in ipairs(incidents) do write_incident(change) end
go_on(claims)
if state == 'archived' and not waits and opened <= 0 then forget(thread) end
chain(audit)
return answer('', '', claims)
