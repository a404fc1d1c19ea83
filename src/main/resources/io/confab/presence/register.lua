-- Enters sessions of accounts, or makes their entries valid for another while. The live entry of a
-- session with a higher fence stays: that is the newer one of the device.
-- KEYS  for each account: its sessions by device
-- ARGV  1 validity in ms; then for each session: place of its account, device, node, session, fence
-- Result: place of the account, device, and fence of its newest session, for each session that met
-- another live one
-- Entries of an older Confab have no fence, and are older; what is no entry goes.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local live = {}
for account, key in ipairs(KEYS) do
  live[account] = {}
  local entries = redis.call('HGETALL', key)
  for i = 1, #entries, 2 do
    local ok, entry = pcall(cjson.decode, entries[i + 1])
    if ok and type(entry) == 'table' and (tonumber(entry.valid_until) or 0) > now then
      live[account][entries[i]] = {session = entry.session, fence = entry.fence or ''}
    else
      redis.call('HDEL', key, entries[i])
    end
  end
end

local contested = {}
local valid_until = string.format('%.0f', now + ARGV[1])
for i = 2, #ARGV, 5 do
  local account, device, session, fence = tonumber(ARGV[i]), ARGV[i + 1], ARGV[i + 3], ARGV[i + 4]
  local found = live[account][device]
  local newest = fence
  if found and found.fence > fence then
    newest = found.fence
  else
    live[account][device] = {session = session, fence = fence}
    redis.call('HSET', KEYS[account], device, cjson.encode({
      node = ARGV[i + 2], session = session, fence = fence, valid_until = valid_until}))
    redis.call('PEXPIRE', KEYS[account], ARGV[1])
  end
  if found and found.session ~= session then
    contested[#contested + 1] = account
    contested[#contested + 1] = device
    contested[#contested + 1] = newest
  end
end
return contested
