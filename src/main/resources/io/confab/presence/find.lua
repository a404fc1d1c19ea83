-- All live sessions of an account.
-- KEYS  1 sessions by device
-- Result: device, node, session, fence of each, in a row
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local result = {}
local entries = redis.call('HGETALL', KEYS[1])
for i = 1, #entries, 2 do
  local entry = cjson.decode(entries[i + 1])
  if tonumber(entry.valid_until) > now and entry.fence then
    result[#result + 1] = entries[i]
    result[#result + 1] = entry.node
    result[#result + 1] = entry.session
    result[#result + 1] = entry.fence
  end
end
return result
