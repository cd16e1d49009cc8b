-- Routing of one event: look() reads and decides, route() writes.
-- The reference of what situation holds is `chatops_bot.domain.routing.situation`.

local NOTICE_MS = 600000

local VERDICTS = {i = 'ignore', a = 'append', n = 'new', r = 'reopen', c = 'courtesy'}
local PLACE = {
  card_live = 1, card_archived = 2, card_gone = 3, current_same = 4,
  current_other = 5, current_asks = 6, current_busy = 7, none = 8,
}
local LEAVABLE = {collecting = true, confirming = true, approving = true}

local function arrival()
  return {
    room = arg(), id = arg(), event = arg(), verdicts = arg(), new = arg(), user = arg(), thread = arg(),
    lock = arg(), leaves = arg(), left = arg(), cap = tonumber(arg()),
    cards = list(), bind = list(), names = list(),
  }
end

local function facts(thread)
  local h = call('HMGET', session_key(thread), 'state', 'lock', 'guess', 'asks', 'public', 'room')
  local lock = h[2] or ''
  if lock == '' then lock = h[3] or '' end
  return {
    thread = thread, state = h[1], lock = lock, asks = h[4] or '', public = h[5] or '', room = h[6],
    live = h[1] and h[1] ~= 'archived',
  }
end

local function bound(a)
  for _, id in ipairs(a.cards) do
    local _, found = bound_at(a.room, id)
    if found and string.sub(found, 1, 2) == ELSEWHERE then return {elsewhere = string.sub(found, 3)} end
    if found then return facts(found) end
  end
end

-- The thread that the event names: the button's own, unless that one has ended and its card was taken
-- over by a thread that lives; else that of the most exact card. A thread of another room is no thread.
local function named(a)
  local own
  if a.thread ~= '' then
    own = facts(a.thread)
    if own.room and own.room ~= a.room then own = nil end
  end
  if own and own.live then return own end
  local card = bound(a)
  if not card and a.thread ~= '' and not (own and own.state) then
    -- A button may be pressed before it is stored which message carries it.
    local found = call('GET', card_key(a.room, a.thread))
    if found and string.sub(found, 1, 2) == ELSEWHERE then return {elsewhere = string.sub(found, 3)} end
  end
  if not own or (card and (card.live or card.elsewhere)) then return card end
  return own
end

-- The author's thread. While an archived thread still has events waiting, its users' pointers stay, so that
-- what they say next is queued behind; once nothing waits any more, pointers go where the events went.
local function current(a)
  if a.user == '' then return nil end
  local thread = call('GET', current_key(a.room, a.user))
  if not thread then return nil end
  local found = facts(thread)
  found.waits = call('EXISTS', queue_key('t|' .. thread)) == 1
  return found
end

-- Where an event goes that moves on from an archived thread: after the events of its author that moved on
-- before it (each thread's `heir:<user>`). Never to a thread begun otherwise: what was said before that one
-- began must not be understood as if it were said in it.
local function successor(a)
  local field = 'heir:' .. a.user
  local heir, found = call('HGET', session_key(a.from), field), nil
  for _ = 1, 10 do
    if a.user == '' or not heir then break end
    found = facts(heir)
    found.waits = call('EXISTS', queue_key('t|' .. heir)) == 1
    if found.live or found.waits then break end
    heir = call('HGET', session_key(heir), field)
  end
  return found
end

local function contains(names, name)
  for _, n in ipairs(names) do
    if n == name then return true end
  end
  return false
end

-- Whether one of these services is what a thread is about: its lock, or a line of it where several plans wait.
local function about(names, lock)
  for key in string.gmatch(lock, '[^\n]+') do
    if contains(names, key) then return true end
  end
  return false
end

local function situation(a, card, mine)
  if card then
    if not card.state then return 'card_gone' end
    return card.live and 'card_live' or 'card_archived'
  end
  if not mine or not mine.state then return 'none' end
  if not mine.live then return mine.waits and 'current_busy' or 'none' end
  if #a.names > 0 and mine.lock ~= '' and not about(a.names, mine.lock) then return 'current_other' end
  if mine.asks ~= '' and mine.asks == a.user then return 'current_asks' end
  return mine.waits and 'current_busy' or 'current_same'
end

-- Everything that routing needs to know, read before anything is written.
local function look(a)
  local card = named(a)
  if card and card.elsewhere then return {taken = a.from and 'ignore' or 'elsewhere', thread = card.elsewhere} end
  local mine
  if a.from then mine = successor(a) else mine = current(a) end
  local holds = situation(a, card, mine)
  local place = PLACE[holds]
  local taken = VERDICTS[string.sub(a.verdicts, place, place)]
  local d = {taken = taken, card = card, thread = '', extra = '', opens = false}
  if taken == 'ignore' then return d end
  if taken == 'append' then
    d.to = card or (mine and (mine.live or mine.waits) and mine)
    if not d.to then taken, d.taken = 'new', 'new' end
  end
  if not d.to then
    d.to, d.opens = facts(a.new), true
    if d.to.state == 'archived' then
      -- What would open it has opened it before, and it has ended: a delivery that outlived its mark.
      d.taken, d.to, d.opens = 'ignore', nil, false
      return d
    end
    if taken == 'reopen' and card then d.extra = call('GET', P .. 'summary:' .. card.thread) or '' end
    if taken == 'new' and mine and mine.live then
      d.extra = mine.public
      if LEAVABLE[mine.state] and mine.thread ~= a.new then
        if a.leaves == '?' then d.taken = 'unread' end
        if a.leaves == '1' and a.left ~= '' then d.left = mine.thread end
      end
    end
  end
  if d.opens then
    -- The new thread is found under `bind`; reopened, also under what led to the old one.
    d.cards = {}
    for _, id in ipairs(a.bind) do d.cards[#d.cards + 1] = card_key(a.room, id) end
    if taken == 'reopen' then
      for i, id in ipairs(a.cards) do
        local key, found = bound_at(a.room, id)
        if i == 1 or (card and found == card.thread) then d.cards[#d.cards + 1] = key end
      end
    end
    for _, key in ipairs(d.cards) do touch(key) end
  end
  d.thread = d.to.thread
  d.renewed = {}
  for _, id in ipairs(d.opens and {} or a.bind) do
    local key = card_key(a.room, id)
    if call('GET', key) == d.thread then d.renewed[#d.renewed + 1] = key end
  end
  d.queue = 't|' .. d.thread
  d.free = not call('ZSCORE', due, d.queue)
  d.length = call('LLEN', queue_key(d.queue))
  touch(holder_key(d.queue), view_key(d.thread))
  if d.left then
    d.left_free = not call('ZSCORE', due, 't|' .. d.left)
    touch(queue_key('t|' .. d.left), holder_key('t|' .. d.left), view_key(d.left))
  end
  return d
end

-- Once nothing waits in a thread, its user's pointer goes to the heir.
local function inherit(thread, user, heir)
  local session = session_key(thread)
  local leaving = call('HGET', session, 'leaving') or ''
  if not string.find(SEP .. leaving, SEP .. user .. SEP, 1, true) then leaving = leaving .. user .. SEP end
  call('HSET', session, 'leaving', leaving, 'heir:' .. user, heir)
end

local function open(a, d)
  local session = session_key(d.thread)
  if not d.to.state then
    call('HSET', session, 'state', 'idle', 'room', a.room, 'schema', SCHEMA)
  end
  if d.taken == 'new' and a.user ~= '' then
    call('HSET', session, 'owner', a.user)
    if a.from then
      inherit(a.from, a.user, d.thread)
    else
      call('SET', current_key(a.room, a.user), d.thread)
    end
  end
  for _, key in ipairs(d.cards) do call('SET', key, d.thread, 'EX', CARD_S) end
end

-- Writes what look() decided; claims gets the queues taken for the caller.
local function route(a, d, claims)
  if d.taken == 'ignore' then return end
  if d.opens then
    open(a, d)
  elseif not d.to.room then
    call('HSET', session_key(d.thread), 'room', a.room)
  end
  -- A thread that lasts is still found as long after it was heard of last as any other.
  for _, key in ipairs(d.renewed) do call('EXPIRE', key, CARD_S) end
  if a.lock ~= '' and d.to.lock == '' then call('HSET', session_key(d.thread), 'guess', a.lock) end
  append(d.thread, a.id, d.card, d.extra, a.event, d.to.state == 'archived')
  if d.free then claims[#claims + 1] = take(d.queue, d.length == 0) end
  if d.left then
    append(d.left, a.id .. '|left', false, '', a.left, false)
    if d.left_free then claims[#claims + 1] = take('t|' .. d.left, true) end
  end
end
