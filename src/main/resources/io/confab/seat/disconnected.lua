-- The last session of an account on a node is gone: it keeps what it has for the grace, if nothing else keeps it for
-- less. Another session says so with its next beat.
-- KEYS, ARGV  as seats.lua; then 17 account
-- Result: as seats.lua, with the state of the account
local account = ARGV[FIRST]
if standing(account) then
  local until_ = now + grace
  local deadline = tonumber(redis.call('ZSCORE', KEYS[3], account))
  lose_at(deadline > now and math.min(deadline, until_) or until_, account)
  local session = tonumber(redis.call('HGET', KEYS[4], account) or '0')
  if session > until_ then
    redis.call('HSET', KEYS[4], account, text(until_))
  end
end
fill()
return answer({state_of(account)})
