-- Enters sessions of an account, or makes their entries valid for another while. The live entry of
-- a session with a higher fence stays: that is the newer one of the device.
-- KEYS  1 sessions by device
-- ARGV  1 validity in ms; then for each session: device, node, session, fence
-- Result: device, and fence of its newest session, for each session that met another live one
-- Entries of an older Confab have no fence, and are older.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local live = {}
local entries = redis.call('HGETALL', KEYS[1])
for i = 1, #entries, 2 do
  local entry = cjson.decode(entries[i + 1])
  if tonumber(entry.valid_until) > now then
    live[entries[i]] = {session = entry.session, fence = entry.fence or ''}
  else
    redis.call('HDEL', KEYS[1], entries[i])
  end
end

local contested = {}
local valid_until = string.format('%.0f', now + ARGV[1])
for i = 2, #ARGV, 4 do
  local device, session, fence = ARGV[i], ARGV[i + 2], ARGV[i + 3]
  local found = live[device]
  local newest = fence
  if found and found.fence > fence then
    newest = found.fence
  else
    live[device] = {session = session, fence = fence}
    redis.call('HSET', KEYS[1], device, cjson.encode({
      node = ARGV[i + 1], session = session, fence = fence, valid_until = valid_until}))
    redis.call('PEXPIRE', KEYS[1], ARGV[1])
  end
  if found and found.session ~= session then
    contested[#contested + 1] = device
    contested[#contested + 1] = newest
  end
end
return contested
