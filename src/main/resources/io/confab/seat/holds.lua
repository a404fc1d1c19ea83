-- Whether an account has a seat, as it stands there: whether that is still good is not looked at, and nothing is
-- changed by it.
-- KEYS  as seats.lua
-- ARGV  1 account
-- Result: 1 if it has, else 0
return redis.call('HGET', KEYS[1], ARGV[1]) == 'in' and 1 or 0
