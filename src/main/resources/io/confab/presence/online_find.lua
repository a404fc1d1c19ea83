-- What others are told of the presence of accounts.
-- KEYS  1 what is known of each; 2 the state of it
-- ARGV  1 for how long data that was lost may be incomplete, in ms; then the accounts
-- Result: a version that is newer than all changes in it; then of each account online, away, offline, or nothing
-- where that is not known
local clock = redis.call('TIME')
local micros = clock[1] * 1000000 + clock[2]
local state = redis.call('HMGET', KEYS[2], 'since', 'version')
local young = not state[1] or math.floor(micros / 1000) - tonumber(state[1]) < tonumber(ARGV[1])

local result = {string.format('%.0f', math.max(tonumber(state[2] or '0'), micros))}
local found = redis.call('HMGET', KEYS[1], unpack(ARGV, 2))
for i = 1, #found do
  local told = found[i] and cjson.decode(found[i]).a or 'offline'
  if told == 'unknown' or (told == 'offline' and young) then
    told = ''
  end
  result[#result + 1] = told
end
return result
