-- Entries waiting, by kind of queue: mailbox, card, work, plan, timer.
local count = {t = 0, c = 0, w = 0, p = 0, x = 0}
for _, queue in ipairs(call('ZRANGE', due, 0, -1)) do
  local kind = string.sub(queue, 1, 1)
  local entries = 1
  if kind == 't' then entries = call('LLEN', queue_key(queue)) end
  count[kind] = (count[kind] or 0) + entries
end
return {count.t, count.c, count.w, count.p, count.x}
