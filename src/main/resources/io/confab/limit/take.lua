-- Takes tokens from a bucket that all nodes share, whether or not they are there, or gives them back.
-- KEYS  1 the bucket: the time at which it is full again, in µs by the clock of Redis; none: full
-- ARGV  1 how long one token takes to come back, in µs; 2 how many are taken, negative: given back; 3 the most that may be
--       missing, in µs
-- Result: how long the bucket takes to be full again, in µs
-- The key lives until the bucket is full, as one that is full need not be known.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local full_at = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'))
full_at = math.min(full_at + tonumber(ARGV[1]) * tonumber(ARGV[2]), now + tonumber(ARGV[3]))
local missing = math.max(0, math.ceil(full_at - now))
if missing > 0 then
  redis.call('SET', KEYS[1], string.format('%.3f', full_at), 'PX', math.ceil(missing / 1000))
else
  redis.call('DEL', KEYS[1])
end
return missing
