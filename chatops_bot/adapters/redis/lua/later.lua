-- Queues given back. ARGV: (queue, token, delay in ms, "1" when the taking shall not count as an attempt) …
local given = {}
while at < #ARGV do
  local queue, token, delay, uncount = arg(), arg(), tonumber(arg()), arg() == '1'
  if call('HGET', holder_key(queue), 't') == token then
    if #given == 0 then admit() end
    given[#given + 1] = token
    call('ZADD', due, 'XX', now + delay, queue)
    call('HDEL', holder_key(queue), 't')
    if uncount then call('HINCRBY', holder_key(queue), 'n', -1) end
  end
end
return #given
