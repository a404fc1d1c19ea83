-- Takes back a try that nobody judged: the next one may begin at once, those before still count.
-- KEYS  1 hash: as in try.lua
-- Result: how many tries are left
local tries = tonumber(redis.call('HGET', KEYS[1], 'n') or '0') - 1
if tries <= 0 then
  redis.call('DEL', KEYS[1])
  return 0
end
redis.call('HSET', KEYS[1], 'n', tries, 'until', '0')
return tries
