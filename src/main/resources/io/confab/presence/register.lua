-- Enters a session of a device, in place of any other, with a new fence.
-- KEYS  1 sessions by device, 2 the account's fence
-- ARGV  1 device, 2 node, 3 session, 4 validity in ms, 5 name of a new incarnation,
--       6 how long the fence is kept after its last use, in ms
-- Result: incarnation, counter; and node, session of the live session that was there, if another
-- The incarnation begins with the counter: should Redis lose the one, or forget it after a long
-- absence, then the other is new, so no fence is given twice.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

redis.call('HSETNX', KEYS[2], 'incarnation', ARGV[5])
local incarnation = redis.call('HGET', KEYS[2], 'incarnation')
local counter = redis.call('HINCRBY', KEYS[2], 'counter', 1)
redis.call('PEXPIRE', KEYS[2], ARGV[6])

local result = {incarnation, counter}
local entries = redis.call('HGETALL', KEYS[1])
for i = 1, #entries, 2 do
  local entry = cjson.decode(entries[i + 1])
  if tonumber(entry.valid_until) <= now then
    redis.call('HDEL', KEYS[1], entries[i])
  elseif entries[i] == ARGV[1] and entry.session ~= ARGV[3] then
    result[3] = entry.node
    result[4] = entry.session
  end
end

redis.call('HSET', KEYS[1], ARGV[1], cjson.encode({
  node = ARGV[2], session = ARGV[3], incarnation = incarnation, counter = tostring(counter),
  valid_until = string.format('%.0f', now + ARGV[4])}))
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return result
