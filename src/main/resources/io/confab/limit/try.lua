-- Begins a try that may fail: counts it as failed until it is told to have succeeded (DEL).
-- KEYS  1 hash: n (tries that failed, or are under way), until (the next one may begin, in ms by
--       the clock of Redis)
-- ARGV  1 tries that are free; 2 the wait after the first one beyond, in ms, doubled by each
--       further one; 3 the longest wait, in ms; 4 how long nothing must fail to be forgotten, in ms
-- Result: 0, the try may begin and counts; else how long to wait, in ms, and it does not count
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local state = redis.call('HMGET', KEYS[1], 'n', 'until')
local tries, next_at = tonumber(state[1] or '0'), tonumber(state[2] or '0')
if next_at > now then
  return next_at - now
end
tries = tries + 1
local wait = 0
if tries >= tonumber(ARGV[1]) then
  local doublings = math.min(tries - tonumber(ARGV[1]), 30)
  wait = math.min(tonumber(ARGV[2]) * 2 ^ doublings, tonumber(ARGV[3]))
end
redis.call('HSET', KEYS[1], 'n', tries, 'until', string.format('%.0f', now + wait))
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 0
