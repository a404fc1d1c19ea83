-- Makes an account's sessions valid for another while; enters again those that are not there.
-- KEYS  1 sessions by device
-- ARGV  1 validity in ms; then for each session: device, node, session, incarnation, counter
-- Result: positions (from 1) of the sessions whose device belongs to another live session
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local lost = {}
local kept = false
for i = 2, #ARGV, 5 do
  local found = redis.call('HGET', KEYS[1], ARGV[i])
  local entry = found and cjson.decode(found)
  if entry and entry.session ~= ARGV[i + 2] and tonumber(entry.valid_until) > now then
    lost[#lost + 1] = (i - 2) / 5 + 1
  else
    kept = true
    redis.call('HSET', KEYS[1], ARGV[i], cjson.encode({
      node = ARGV[i + 1], session = ARGV[i + 2], incarnation = ARGV[i + 3], counter = ARGV[i + 4],
      valid_until = string.format('%.0f', now + ARGV[1])}))
  end
end
if kept then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
return lost
