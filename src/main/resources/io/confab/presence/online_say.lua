-- Takes what one node says of the presence of accounts, and tells which of them are another thing to others now.
-- KEYS  1 accounts by the time of their last beat; 2 what is known of each; 3 the state of both; 4 where what has
--       changed is kept for as long as a word holds, in case the answer is lost
-- ARGV  1 the node; 2 since when it knows this data to be there; 3 how long a word holds, 4 how long one that lapses
--       holds, 5 for how long data that was lost may be incomplete, 6 how long the keys live, all in ms; then for each
--       account: id, word, status. word: beat (as before), change, lapse (ends unless another node says more).
-- Result: since when the data is there; then for each account that changed: id, status, last seen, version
-- What is known of an account: a: what others were told; s: when it was seen last; n: of each node status and time.
-- A beat that finds the data lost restores it: that is no change.
local clock = redis.call('TIME')
local micros = clock[1] * 1000000 + clock[2]
local now = math.floor(micros / 1000)
local node, known, valid, grace, settle = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])

local function text(number)
  return string.format('%.0f', number)
end

local state = redis.call('HMGET', KEYS[3], 'since', 'version')
local since = tonumber(state[1] or now)
local version = tonumber(state[2] or '0')
if not state[1] then
  redis.call('HSET', KEYS[3], 'since', text(since))
end
local young = now - since < settle

local rank = {offline = 0, away = 1, online = 2}
local function shown(parts)
  local best, latest = 'offline', 0
  local last = 'offline'
  for _, part in pairs(parts) do
    if part[2] > now - valid and rank[part[1]] > rank[best] then
      best = part[1]
    end
    if part[2] > latest then
      last, latest = part[1], part[2]
    end
  end
  return best == 'offline' and last or best, latest
end

local result = {text(since)}
for i = 7, #ARGV, 3 do
  local account, word, status = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local found = redis.call('HGET', KEYS[2], account)
  local entry = found and cjson.decode(found) or {a = 'offline', n = {}}
  local lost = word == 'beat' and known ~= text(since) and (not found or entry.a == 'unknown')
  if status == 'offline' then
    entry.n[node] = nil
  else
    entry.n[node] = {status, word == 'lapse' and now - valid + grace or now}
  end
  local after, latest = shown(entry.n)
  if latest > now - valid then
    for other, part in pairs(entry.n) do
      if part[2] <= now - valid then
        entry.n[other] = nil
      end
    end
  end
  if after == 'offline' and young and word ~= 'beat' then
    -- other nodes may not have said again that it is there
    entry.a, after, latest = found and entry.a or 'unknown', found and entry.a or 'unknown', now - valid + grace
  end
  if entry.a ~= after and not lost then
    version = math.max(version + 1, micros)
    result[#result + 1] = account
    result[#result + 1] = after
    result[#result + 1] = text(now)
    result[#result + 1] = text(version)
  end
  if after == 'offline' then
    redis.call('ZREM', KEYS[1], account)
    redis.call('HDEL', KEYS[2], account)
  else
    local kept = next(entry.n) and cjson.encode(entry.n) or '{}'
    redis.call('ZADD', KEYS[1], text(latest), account)
    redis.call('HSET', KEYS[2], account, '{"a":"' .. after .. '","s":' .. text(now) .. ',"n":' .. kept .. '}')
  end
end
redis.call('HSET', KEYS[3], 'version', text(version))
for i = 1, 3 do
  redis.call('PEXPIRE', KEYS[i], ARGV[6])
end
if #result > 1 then
  redis.call('SET', KEYS[4], table.concat(result, ' ', 2), 'PX', ARGV[3])
end
return result
