-- What was counted last of who is there in a room, and whether the caller is to count anew: one at a time is.
-- KEYS  1 the count
-- ARGV  1 for how long the caller would be the one, in ms; then, of one who has counted, 2 what it found, 3 for how
--       long that is good, in ms
-- Result: what was counted last, nothing if that is long ago; 1 if the caller is to count, else 0
local clock = redis.call('TIME')
local now = math.floor((clock[1] * 1000000 + clock[2]) / 1000)
local lease = tonumber(ARGV[1])

local function text(number)
  return string.format('%.0f', number)
end

if ARGV[2] then
  redis.call('HSET', KEYS[1], 'count', ARGV[2], 'good_until', text(now + ARGV[3]), 'counting_until', '0')
  redis.call('PEXPIRE', KEYS[1], text(ARGV[3] + 2 * lease))
  return {ARGV[2], 0}
end

local kept = redis.call('HMGET', KEYS[1], 'count', 'good_until', 'counting_until')
if tonumber(kept[2] or '0') > now or tonumber(kept[3] or '0') > now then
  return {kept[1] or '', 0}
end
redis.call('HSET', KEYS[1], 'counting_until', text(now + lease))
redis.call('PEXPIRE', KEYS[1], text(2 * lease))
return {kept[1] or '', 1}
