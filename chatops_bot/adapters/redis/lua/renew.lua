-- Leases prolonged. ARGV: (queue, token) … Answer: the tokens that no longer hold their queue.
local lost, kept = {}, {}
while at < #ARGV do
  local queue, token = arg(), arg()
  if call('HGET', holder_key(queue), 't') == token then
    kept[#kept + 1] = queue
  else
    lost[#lost + 1] = token
  end
end
if #kept > 0 then admit() end
for _, queue in ipairs(kept) do call('ZADD', due, 'XX', now + LEASE, queue) end
return lost
