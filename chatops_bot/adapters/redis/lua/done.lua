-- A piece of work is done. ARGV: thread, queue, entry, id and body of the result ("" for none).
-- Answer: "ok" or "lost", then claims: the thread's mailbox, if nobody holds it.
local thread, queue, head, id, event = arg(), arg(), arg(), arg(), arg()
local mailbox = 't|' .. thread
local entries = queue_key(queue)
local mark = P .. 'seen:' .. queue
local claims = {}
if call('GET', mark) == TOKEN then
  admit()
  call('SET', mark, TOKEN, 'KEEPTTL')
  claims[1] = held(mailbox)
  claims[#claims + 1] = held(queue)
  return {'ok', '', '', unpack(claims)}
end
if call('HGET', holder_key(queue), 't') ~= TOKEN or entry_id(call('LINDEX', entries, 0)) ~= head then
  return {'lost', '', ''}
end
local more = call('LLEN', entries) > 1
local free = not call('ZSCORE', due, mailbox)
local length = call('LLEN', queue_key(mailbox))
local archived = call('HGET', session_key(thread), 'state') == 'archived'
touch(holder_key(mailbox), view_key(thread))

call('LPOP', entries)
call('SET', mark, TOKEN, 'EX', 600)
if event ~= '' then
  append(thread, id, false, '', event, archived)
  if free then claims[1] = take(mailbox, length == 0) end
end
if more then claims[#claims + 1] = take(queue, true) else closed(thread, queue) end
return {'ok', '', '', unpack(claims)}
