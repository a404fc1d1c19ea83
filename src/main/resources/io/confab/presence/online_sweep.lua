-- Takes out accounts of which no node has said anything for long, on behalf of one node at a time. Not while nodes
-- may have been unable to say anything: for a while after nobody asked for this.
-- KEYS  1 accounts by the time of their last beat; 2 what is known of each; 3 the state of both; 4 where the result
--       is kept for as long as a word holds, in case the answer is lost
-- ARGV  1 the node; 2 how long a word holds, 3 how long the node goes on being the one, 4 after how long a silence of
--       all nodes counts, 5 how long nothing is taken out after it, all in ms; 6 the most to take out
-- Result: for each account that is offline now: id, offline, last seen, version
local clock = redis.call('TIME')
local micros = clock[1] * 1000000 + clock[2]
local now = math.floor(micros / 1000)

local function text(number)
  return string.format('%.0f', number)
end

local state = redis.call('HMGET', KEYS[3], 'since', 'version', 'heard', 'unbroken', 'sweeper', 'sweeper_until')
if not state[1] then
  return {}
end
local heard, unbroken = tonumber(state[3] or '0'), tonumber(state[4] or now)
if now - heard > tonumber(ARGV[4]) then
  unbroken = now
end
redis.call('HSET', KEYS[3], 'heard', text(now), 'unbroken', text(unbroken))
if state[5] and state[5] ~= ARGV[1] and tonumber(state[6]) > now then
  return {}
end
redis.call('HSET', KEYS[3], 'sweeper', ARGV[1], 'sweeper_until', text(now + ARGV[3]))
if now - unbroken < tonumber(ARGV[5]) then
  return {}
end

local version = tonumber(state[2] or '0')
local result = {}
local silent = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', text(now - ARGV[2]), 'LIMIT', 0, ARGV[6])
for _, account in ipairs(silent) do
  local found = redis.call('HGET', KEYS[2], account)
  version = math.max(version + 1, micros)
  result[#result + 1] = account
  result[#result + 1] = 'offline'
  result[#result + 1] = text(found and cjson.decode(found).s or now)
  result[#result + 1] = text(version)
  redis.call('ZREM', KEYS[1], account)
  redis.call('HDEL', KEYS[2], account)
end
redis.call('HSET', KEYS[3], 'version', text(version))
if #result > 0 then
  redis.call('SET', KEYS[4], table.concat(result, ' '), 'PX', ARGV[2])
end
return result
