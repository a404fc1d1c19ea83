-- Removes the entries of devices that are still of the sessions with these fences.
-- KEYS  for each session: the sessions of its account by device
-- ARGV  for each session: device, fence
-- Result: how many were removed
local removed = 0
for i, key in ipairs(KEYS) do
  local device, fence = ARGV[2 * i - 1], ARGV[2 * i]
  local ok, entry = pcall(cjson.decode, redis.call('HGET', key, device) or '')
  if ok and type(entry) == 'table' and entry.fence == fence then
    removed = removed + redis.call('HDEL', key, device)
  end
end
return removed
