-- Takes what is due. ARGV: how many. Answer: the claims, then the rows that could not be handled.
local limit = arg()

-- A timer becomes an event of its thread, unless the thread is no longer stored. Its id ends with its number in
-- the thread: an event before it may set the same time once more.
local function ring(queue, time)
  local thread = string.sub(queue, 3)
  local mailbox = 't|' .. thread
  local h = call('HMGET', session_key(thread), 'state', 'sequence')
  local state, count = h[1], tonumber(h[2] or 0) + 1
  local free = not call('ZSCORE', due, mailbox)
  local length = call('LLEN', queue_key(mailbox))
  touch(holder_key(mailbox), view_key(thread))
  call('ZREM', due, queue)
  if not state then return nil end
  append(thread, 'timer:' .. thread .. ':' .. time .. ':' .. count, false, '', '{"type":"timer"}', state == 'archived')
  return free and take(mailbox, length == 0) or nil
end

local function visit(queue, time)
  local kind = string.sub(queue, 1, 2)
  if kind == 'x|' then return ring(queue, time) end
  local row = ROW[kind](queue)
  if row == false then
    call('ZADD', due, now + 1000, queue)
    return nil
  end
  if row == nil then
    if kind == 'c|' or kind == 'w|' then
      closed(string.match(queue, '^.|([^|]*)|'), queue)
    else
      call('ZREM', due, queue)
      call('DEL', holder_key(queue))
    end
    return nil
  end
  return take(queue, false)
end

local rows = call('ZRANGEBYSCORE', due, '-inf', now, 'WITHSCORES', 'LIMIT', 0, limit)
local claims, bad = {}, {}
if #rows > 0 then admit() end
for i = 1, #rows, 2 do
  local ok, found = pcall(visit, rows[i], rows[i + 1])
  if ok then
    claims[#claims + 1] = found
  else
    local why = type(found) == 'table' and found.err or found
    bad[#bad + 1] = rows[i] .. SEP .. tostring(why)
    call('ZADD', due, now + LEASE, rows[i])
  end
end
return {claims, bad}
