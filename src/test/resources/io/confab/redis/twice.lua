-- Twice a number.
-- KEYS  1 where to leave it
-- ARGV  1 the number
-- Result: the double
redis.call('SET', KEYS[1], ARGV[1] * 2)
return ARGV[1] * 2
