-- Begins every script.
--
-- KEYS[1]  {N}:due: everything the shard has to do, by the time (ms) from which anybody may take it.
-- ARGV[1]  now in ms, "" for Redis' own clock.
-- ARGV[2]  the lease in ms.
-- ARGV[3]  the token of the claim acted upon, or a fresh random one; tokens of what is taken are derived
--          from it, so that a second run of the same step finds what the first one took.
-- ARGV[4]  how long things are kept, in s, as "duplicate marks|cards|summaries|plans|incidents".
--
-- Rules: read everything first (a missing key of a slot that is being moved then ends the script before it
-- changed anything), write afterwards; know one's own id, and change nothing in a second run.

local SCHEMA = 1
-- Of plans: 2 are those of another write than one patch, which a worker that does not know them would carry out wrongly.
local PLAN_SCHEMA = 2
local SEP = '\30'
local call = redis.call
local due = KEYS[1]
local P = string.match(due, '^{%d+}:')
local LEASE = tonumber(ARGV[2])
local TOKEN = ARGV[3]
local SEEN_S, CARD_S, SUMMARY_S, PLAN_S, INCIDENT_S = string.match(ARGV[4], '^(%d+)|(%d+)|(%d+)|(%d+)|(%d+)$')
local now
if ARGV[1] ~= '' then
  now = tonumber(ARGV[1])
else
  local time = call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Arguments are read one after the other: arg() gives the next one, list() a counted list.
local at = 4
local function arg()
  at = at + 1
  return ARGV[at]
end
local function list()
  local found = {}
  for i = 1, tonumber(arg()) do found[i] = arg() end
  return found
end

local function session_key(thread) return P .. 'session:' .. thread end
local function view_key(thread) return P .. 'view:' .. thread end
local function queue_key(queue) return P .. 'queue:' .. queue end
local function holder_key(queue) return P .. 'holder:' .. queue end
local function card_key(room, id) return P .. 'card:' .. room .. '|' .. id end
local function current_key(room, user) return P .. 'current:' .. room .. '|' .. user end
local function seen_key(room, id) return P .. 'seen:' .. room .. '|' .. id end

-- What stands under a card's key is a thread; or, of a card that is shown in two rooms, the id in its home room under
-- which both find the thread; or, in the other room, where the card is at home, as the engine wrote it.
local SAME, ELSEWHERE = SEP .. '=', SEP .. '>'
local function bound_at(room, id)
  local key = card_key(room, id)
  local found = call('GET', key)
  if found and string.sub(found, 1, 2) == SAME then
    key = card_key(room, string.sub(found, 3))
    found = call('GET', key)
  end
  return key, found
end

local function touch(...) call('EXISTS', ...) end

-- Ends the script, before it has changed anything, where the audit chain could not be written: a script that stops
-- half way is not undone, and nothing may happen without its record.
local function audit_fits()
  for key, kind in pairs({['audit'] = 'stream', ['audit-head'] = 'string'}) do
    local found = call('TYPE', P .. key).ok
    if found ~= 'none' and found ~= kind then error('AUDIT_UNWRITABLE: ' .. P .. key .. ' is a ' .. found) end
  end
end

-- Memory may be full: Redis refuses a script whose first write could grow it, and lets through one whose
-- first write cannot. Everything but intake has to go on, or nothing would ever be freed.
local function admit() call('ZREM', due, '') end

local function token_for(queue) return string.sub(redis.sha1hex(TOKEN .. queue), 1, 20) end

-- An entry: schema, id, sequence, "1" when a card led to the thread, length of `extra`, then extra and body
-- as they are.
local function entry(id, sequence, via_card, extra, body)
  return table.concat({SCHEMA, id, sequence, via_card and 1 or 0, #extra, extra .. body}, SEP)
end
local function entry_id(raw) return raw and string.match(raw, '^%d+\30([^\30]*)\30') end
local function newer(schema, known) return schema and tonumber(schema) > (known or SCHEMA) end

-- What a holder needs of a queue, after its name, token and attempts. nil: nothing waits in it.
-- false: written by a newer version, to be left to its workers.
local ROW = {}
ROW['t|'] = function(queue)
  local head = call('LINDEX', queue_key(queue), 0)
  if not head then return nil end
  local h = call('HMGET', session_key(string.sub(queue, 3)), 'version', 'body', 'schema')
  if newer(string.match(head, '^%d+')) or newer(h[3]) then return false end
  return {head, h[1] or '0', h[2] or ''}
end
ROW['w|'] = function(queue)
  local head = call('LINDEX', queue_key(queue), 0)
  if not head then return nil end
  if newer(string.match(head, '^%d+')) then return false end
  return {head}
end
ROW['c|'] = function(queue)
  local thread, card = string.match(queue, '^c|([^|]*)|(.*)$')
  local h = call('HMGET', view_key(thread), 'n:' .. card, 'd:' .. card, 'm:' .. card, 'v:' .. card)
  local number, drawn = tonumber(h[1] or 0), tonumber(h[2] or 0)
  if number <= drawn then return nil end
  return {number, drawn, h[3] or '', h[4] or ''}
end
ROW['p|'] = function(queue)
  local h = call('HMGET', P .. 'plan:' .. string.sub(queue, 3), 'state', 'plan', 'target', 'schema')
  if newer(h[4], PLAN_SCHEMA) then return false end
  if h[1] ~= 'confirmed' and h[1] ~= 'executing' and h[1] ~= 'working' then return nil end
  return {h[2], h[3]}
end

local function claim(queue, token, attempts, row)
  return {queue, token, attempts, unpack(row)}
end

-- Takes a queue that nobody holds for one lease. `fresh`: its head was never taken before.
local function take(queue, fresh)
  local row = ROW[string.sub(queue, 1, 2)](queue)
  if not row then
    if row == false then call('ZADD', due, now, queue) end
    return nil
  end
  local token, attempts = token_for(queue), 1
  call('ZADD', due, now + LEASE, queue)
  if fresh then
    call('HSET', holder_key(queue), 't', token, 'n', 1)
  else
    call('HSET', holder_key(queue), 't', token)
    attempts = call('HINCRBY', holder_key(queue), 'n', 1)
  end
  return claim(queue, token, attempts, row)
end

-- The claim that an earlier run of this step took, if it is still held: its lease begins anew, since whoever
-- asks counts it from this request.
local function held(queue)
  local token = token_for(queue)
  local h = call('HMGET', holder_key(queue), 't', 'n')
  if h[1] ~= token then return nil end
  local row = ROW[string.sub(queue, 1, 2)](queue)
  if not row then return nil end
  call('ZADD', due, 'XX', now + LEASE, queue)
  return claim(queue, token, tonumber(h[2]), row)
end

-- Appends an event to a mailbox. A lifetime set while nothing was queued is taken back.
local function append(thread, id, via_card, extra, body, archived)
  local sequence = call('HINCRBY', session_key(thread), 'sequence', 1)
  if archived then
    call('PERSIST', session_key(thread))
    call('PERSIST', view_key(thread))
  end
  call('RPUSH', queue_key('t|' .. thread), entry(id, sequence, via_card, extra, body))
end

-- Nothing of an archived thread is queued any more: from here on its keys are garbage, some time later.
local function forget(thread)
  local h = call('HMGET', session_key(thread), 'keep', 'owner', 'room')
  local keep = h[1] or '86400'
  if h[2] and h[3] then
    local pointer = current_key(h[3], h[2])
    if call('GET', pointer) == thread then call('EXPIRE', pointer, keep) end
  end
  call('EXPIRE', session_key(thread), keep)
  call('EXPIRE', view_key(thread), keep)
end

-- A card lane or a piece of work has ended. `open` counts those of the thread that are in `due`.
local function closed(thread, queue)
  call('ZREM', due, queue)
  call('DEL', holder_key(queue))
  local h = call('HMGET', session_key(thread), 'open', 'state')
  if not h[1] then return end
  local open = call('HINCRBY', session_key(thread), 'open', -1)
  if open <= 0 and h[2] == 'archived' and call('EXISTS', queue_key('t|' .. thread)) == 0 then
    forget(thread)
  end
end

-- Links records to the shard's audit chain: each hash covers the one before and the record.
local function chain(records)
  if #records == 0 then return end
  local last = call('GET', P .. 'audit-head') or ''
  for _, record in ipairs(records) do
    local hash = redis.sha1hex(last .. record)
    call('XADD', P .. 'audit', '*', 'r', record, 'p', last, 'h', hash, 'i', TOKEN)
    last = hash
  end
  call('SET', P .. 'audit-head', last)
end
