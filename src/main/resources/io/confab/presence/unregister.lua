-- Removes the entry of a device if it is still of the session with this fence.
-- KEYS  1 sessions by device
-- ARGV  1 device, 2 fence
-- Result: 1 if it was removed, else 0
local found = redis.call('HGET', KEYS[1], ARGV[1])
if found and cjson.decode(found).fence == ARGV[2] then
  return redis.call('HDEL', KEYS[1], ARGV[1])
end
return 0
