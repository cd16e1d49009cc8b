-- The life of a plan: prepared -> confirmed -> executing -> done, refused, interrupted or
-- unknown; void or expired when it was never begun. A plan of several writes is `working` between executing, which is
-- the first of them, and its end: it holds the target no more. ARGV: step, plan's token, target, audit, arguments.
-- Answer: ok, state, reason, holder, plan, by, approvals, detail, wait in ms.
local step, name, target, audit = arg(), arg(), arg(), list()
local plan, held_by, watch = P .. 'plan:' .. name, P .. 'target:' .. target, 'p|' .. name
local FIELDS = {'state', 'plan', 'digest', 'target', 'until', 'by', 'reason', 'approvals', 'owner', 'detail', 'schema', 'worked'}

local values = call('HMGET', plan, unpack(FIELDS))
local p = {}
for i, field in ipairs(FIELDS) do p[field] = values[i] end
if newer(p.schema, PLAN_SCHEMA) then return redis.error_reply('NEWER plan of a newer version') end
local known = p.state and p.target == target
local deadline = tonumber(p['until'] or 0)

local function answer(ok, reason, holder)
  local wait = 0
  local timed = p.state == 'executing' or p.state == 'working'
  if timed and (not ok or step == 'read' or step == 'note') then wait = math.max(0, deadline - now) end
  return {
    ok and '1' or '0', known and p.state or 'absent', reason or '', holder or '', p.approvals or '',
    p.plan or '', p.by or '', p.detail or '', wait,
  }
end

-- Which plan holds the target, if it is one that may still change it.
local function holder()
  local other = call('GET', held_by)
  if not other then return '' end
  local state = call('HGET', P .. 'plan:' .. other, 'state')
  if state == 'confirmed' or state == 'executing' then return other end
  return ''
end

if step == 'holder' then return holder() end
if step == 'read' then return answer(known) end

-- A plan that is worked off has an end by its follower; from so long after its time on, anybody settles it.
local FOLLOWER_S = 60

local holding = call('GET', held_by) == name
touch(holder_key(watch))
-- Also where this step records nothing: what is begun must be able to be recorded when it ends.
audit_fits()

local function set(...)
  local pairs_of = {...}
  for i = 1, #pairs_of, 2 do p[pairs_of[i]] = tostring(pairs_of[i + 1]) end
  call('HSET', plan, ...)
end
local function free()
  if holding then call('DEL', held_by) end
  call('ZREM', due, watch)
  call('DEL', holder_key(watch))
end
local function lapse()
  free()
  set('state', 'expired', 'reason', 'expired')
end
local function ended_reason()
  if p.state == 'void' or p.state == 'expired' then return p.reason or p.state end
  return 'decided'
end

local STEP = {}

function STEP.prepare()
  local body, digest, lives, form = arg(), arg(), arg(), arg()
  if known then return answer(p.state == 'prepared', p.state ~= 'prepared' and ended_reason() or '') end
  known = true
  set('state', 'prepared', 'plan', body, 'digest', digest, 'target', target, 'until', now + lives, 'schema', form)
  return answer(true), true
end

function STEP.confirm()
  local digest, by, start_within = arg(), arg(), arg()
  if not known then return answer(false, 'unknown') end
  if p.digest ~= digest then return answer(false, 'digest') end
  if p.state ~= 'prepared' then return answer(false, ended_reason()) end
  if now >= deadline then
    lapse()
    return answer(false, 'expired')
  end
  local other = holder()
  if other ~= '' and other ~= name then return answer(false, 'conflict', other) end
  call('SET', held_by, name)
  call('ZADD', due, now + start_within, watch)
  set('state', 'confirmed', 'by', by, 'until', now + start_within)
  return answer(true), true
end

function STEP.approve()
  local by = arg()
  if not known then return answer(false, 'unknown') end
  if p.state == 'prepared' then return answer(false, 'unconfirmed') end
  if p.state ~= 'confirmed' then return answer(false, ended_reason()) end
  if now >= deadline then
    lapse()
    return answer(false, 'expired')
  end
  for person in string.gmatch(p.approvals or '', '[^\30]+') do
    if person == by then return answer(true) end
  end
  set('approvals', (p.approvals and p.approvals .. SEP or '') .. by)
  return answer(true), true
end

function STEP.void()
  local reason = arg()
  if not known then return answer(false, 'unknown') end
  if p.state ~= 'prepared' and p.state ~= 'confirmed' then return answer(false, ended_reason()) end
  free()
  set('state', reason == 'expired' and 'expired' or 'void', 'reason', reason)
  return answer(true, reason), true
end

function STEP.start()
  local attempt, limit = arg(), arg()
  if not known then return answer(false, 'unknown') end
  if p.state == 'executing' then return answer(p.owner == attempt and now < deadline) end
  if p.state == 'prepared' then return answer(false, 'unconfirmed') end
  if p.state ~= 'confirmed' then return answer(false, ended_reason()) end
  if now >= deadline then
    lapse()
    return answer(false, 'expired')
  end
  call('SET', held_by, name)
  call('ZADD', due, now + limit, watch)
  set('state', 'executing', 'owner', attempt, 'until', now + limit)
  return answer(true), true
end

-- What its one executor is about to send, within its time; else only what is to be recorded of a plan's further steps,
-- of which those that were sent in time may be answered late.
function STEP.note()
  local attempt, detail = arg(), arg()
  if not known then return answer(false, 'unknown') end
  if p.state == 'executing' then
    if p.owner ~= attempt or now >= deadline then return answer(false, 'decided') end
    set('detail', detail)
    return answer(true), true
  end
  if p.state == 'working' then return answer(true), true end
  return answer(false, ended_reason()), p.worked
end

function STEP.finish()
  local attempt, outcome, detail, limit = arg(), arg(), arg(), arg()
  if not known then return answer(false, 'unknown') end
  local working = p.state == 'working' and outcome ~= 'working'
  if p.state == 'executing' or working then
    local may = (working and attempt ~= 'settle') or p.owner == attempt or (attempt == 'settle' and now >= deadline)
    if not may then return answer(false, attempt == 'settle' and 'early' or 'decided') end
    free()
    set('state', outcome, 'detail', detail, 'ended_by', attempt)
    if outcome == 'working' then
      set('until', now + limit, 'worked', 1)
      call('ZADD', due, now + limit + FOLLOWER_S * 1000, watch)
    end
    return answer(true, outcome), true
  end
  if p.state == outcome and call('HGET', plan, 'ended_by') == attempt then return answer(true, outcome) end
  return answer(false, ended_reason())
end

-- TOKEN is the effect's id: asked again, it gets the answer that it got (what the plan holds besides is told
-- as it is). A start or an end is known by its attempt instead.
local GROUP = '\29'
local memo_field = 'effect:' .. step .. ':' .. TOKEN
local memo = TOKEN ~= '' and call('HGET', plan, memo_field)
admit()
if memo then
  call('HSET', plan, memo_field, memo)
  local again = answer(false)
  local ok, state, reason, other, approvals =
    string.match(memo, '^([^\29]*)\29([^\29]*)\29([^\29]*)\29([^\29]*)\29([^\29]*)$')
  again[1], again[2], again[3], again[4], again[5] = ok, state, reason, other, approvals
  return again
end
local result, changed = STEP[step]()
if changed then
  chain(audit)
  call('EXPIRE', plan, PLAN_S)
end
if known then
  -- Also where nothing changed: a WAIT after this has to cover what the answer rests on.
  if TOKEN ~= '' then
    call('HSET', plan, memo_field, table.concat(result, GROUP, 1, 5))
  elseif not changed then
    call('HSET', plan, 'schema', p.schema or SCHEMA)
  end
end
return result
