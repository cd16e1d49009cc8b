-- Cuts off the beginning of the audit chain. ARGV: id and hash of the last link that goes, the record of that.
-- What is left begins at a checkpoint: beside the chain as `audit-base`, and in it by the record. Answer: how many
-- links went, -1 when there is no such link.
local last, hash, record = arg(), arg(), arg()
audit_fits()
local base = P .. 'audit-base'
local kept = call('GET', base)
local by, went = string.match(kept or '', '^[^\30]*\30[^\30]*\30([^\30]*)\30(%d+)$')
if by == TOKEN then return tonumber(went) end
local link = call('XRANGE', P .. 'audit', last, last)[1]
local sound = false
for i = 1, link and #link[2] or 0, 2 do
  if link[2][i] == 'h' and link[2][i + 1] == hash then sound = true end
end
if not sound then return -1 end
local rest = call('XRANGE', P .. 'audit', '(' .. last, '+', 'COUNT', 1)[1]

admit()
chain({record})
if not rest then rest = call('XREVRANGE', P .. 'audit', '+', '-', 'COUNT', 1)[1] end
local removed = call('XTRIM', P .. 'audit', 'MINID', rest[1])
call('SET', base, table.concat({last, hash, TOKEN, removed}, SEP))
return removed
