-- Incidents: one hash each, with facts under their names, `n` entries under `e:ID`, and `gap` entries that were too many.

local MOST, MOST_WEIGHTY = 500, 600

local function incident_key(id) return P .. 'incident:' .. id end
local function index_key() return P .. 'incidents' end

-- The latest incident of an alert group is found by the group, which is one of the facts of an incident that is made.
local function of_key(facts)
  local found = {}
  for i = 1, #facts, 2 do found[facts[i]] = facts[i + 1] end
  local group = found.group or ''
  return group ~= '' and P .. 'incident-of:' .. (found.room or '') .. '|' .. group or nil
end

-- What a turn does to incidents: per incident its id, "1" where it is made, facts, facts that are only set once
-- (name and value each), and entries (id, "1" for a weighty one, body).
local function incident_changes()
  local found = {}
  for i = 1, tonumber(arg()) do
    found[i] = {id = arg(), opens = arg() == '1', facts = list(), once = list(), entries = list()}
  end
  return found
end

local function touch_incidents(changes)
  for _, change in ipairs(changes) do
    change.of = of_key(change.facts)
    touch(incident_key(change.id), index_key())
    if change.of then touch(change.of) end
  end
end

local function write_incident(change)
  local key = incident_key(change.id)
  if not change.opens and call('EXISTS', key) == 0 then return end
  if #change.facts > 0 then call('HSET', key, unpack(change.facts)) end
  for i = 1, #change.once, 2 do call('HSETNX', key, change.once[i], change.once[i + 1]) end
  local n = tonumber(call('HGET', key, 'n') or 0)
  for i = 1, #change.entries, 3 do
    local field, most = 'e:' .. change.entries[i], change.entries[i + 1] == '1' and MOST_WEIGHTY or MOST
    if call('HEXISTS', key, field) == 0 then
      if n < most then
        n = n + call('HSET', key, field, change.entries[i + 2])
      else
        call('HINCRBY', key, 'gap', 1)
      end
    end
  end
  call('HSET', key, 'n', n)
  call('EXPIRE', key, INCIDENT_S)
  if change.of then call('SET', change.of, change.id, 'EX', INCIDENT_S) end
  call('ZADD', index_key(), now, change.id)
  call('ZREMRANGEBYSCORE', index_key(), '-inf', now - INCIDENT_S * 1000)
end
