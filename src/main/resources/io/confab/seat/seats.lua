-- What all transitions of the seats of a room begin with: RedisSeats puts it before each of them. The rules are in
-- docs/adr/0054; all times are Redis' own, in ms. Accounts whose check-in is overdue go first, a hundred a call.
-- KEYS  1 inside: account, in or offer; 2 waiting: accounts by ticket; 3 checkin: accounts by when they lose what they
--       have; 4 sessions: account, until when its session keeps what it has; 5 since: account, when it came into the
--       line; 6 departures: when seats came free, the last one first; 7 state
-- ARGV  1 the run ids of the servers that are meant; 2 seat epoch; 3 until when the call is good; 4 for how long nobody
--       is let in, and what was lost is claimed; 5 for how long nobody goes for being overdue; 6 which opening of the
--       room this would be, 0: none; 7 whether the keys were lost without a new epoch; 8 capacity, 0: none, empty: as it
--       is, and 9 its rev; 10 lease, 11 grace, 12 poll, 13 offer, 14 pause, 15 life of the keys;
--       16 the rev with which the capacity began, where there was none
-- Result: ok, numbers, states, changes (see `answer`); or moved and the run id; stale and the epoch of the keys; absent;
--       late and the time
local clock = redis.call('TIME')
local now = math.floor((clock[1] * 1000000 + clock[2]) / 1000)
local lease, grace, poll = tonumber(ARGV[10]), tonumber(ARGV[11]), tonumber(ARGV[12])
local AT_ONCE, DEPARTURES, HOUR, BASE, FIRST = 100, 20, 3600000, 4294967296, 17

local function text(number)
  return string.format('%.0f', number)
end

local id = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
if not string.find(ARGV[1], id, 1, true) then
  return {'moved', id}
end
if now > tonumber(ARGV[3]) then
  return {'late', text(now)}
end

-- what the room stands at
local names = {'epoch', 'opening', 'ticket', 'head', 'held', 'offers', 'line', 'capacity', 'rev', 'began', 'paused',
  'claims', 'noted', 'version'}
local state = {}
for i, value in ipairs(redis.call('HMGET', KEYS[7], unpack(names))) do
  state[names[i]] = tonumber(value or '0')
end
local stored = {}
for name, value in pairs(state) do
  stored[name] = value
end
local epoch = tonumber(ARGV[2])
if state.epoch > epoch then
  return {'stale', text(state.epoch)}
end
-- Redis may have let go of one of the keys alone.
local held = redis.call('HLEN', KEYS[1])
local line = redis.call('ZCARD', KEYS[2])
local is_whole = held == state.held and line == state.line and redis.call('ZCARD', KEYS[3]) == held + line
if state.epoch < epoch or not is_whole then
  if ARGV[6] == '0' then
    return {'absent'}
  end
  redis.call('UNLINK', unpack(KEYS))
  local opening = tonumber(ARGV[6])
  local paused = ARGV[7] == '1' and now + ARGV[14] or 0
  state = {epoch = epoch, opening = opening, ticket = opening * BASE, head = -opening * BASE, offers = 0, capacity = 0,
    rev = 0, began = 0, paused = paused, claims = paused, noted = now, version = opening * BASE}
  held = 0
  stored = {}
end

local changes = {}
-- Whether one of the keys may be new, which has no end yet.
local is_new = false

local function changed(account, kind, waited)
  changes[#changes + 1] = {account, kind, text(waited or -1)}
end

local function came_free()
  is_new = redis.call('LPUSH', KEYS[6], text(now)) == 1 or is_new
  redis.call('LTRIM', KEYS[6], 0, DEPARTURES - 1)
end

-- Takes all that an account has; answers what that was.
local function take_out(account)
  local had = redis.call('HGET', KEYS[1], account)
  if had then
    redis.call('HDEL', KEYS[1], account)
    held = held - 1
    if had == 'offer' then
      state.offers = state.offers - 1
    end
    came_free()
  elseif redis.call('ZREM', KEYS[2], account) == 1 then
    had = 'waiting'
  end
  redis.call('ZREM', KEYS[3], account)
  redis.call('HDEL', KEYS[4], account)
  redis.call('HDEL', KEYS[5], account)
  return had
end

local calm = tonumber(ARGV[5]) > 0

-- in, offer, waiting, or nothing; who is overdue has nothing. Then by when it loses that, and of who waits the ticket.
local function standing(account)
  local deadline = tonumber(redis.call('ZSCORE', KEYS[3], account))
  if not deadline then
    return nil
  end
  if not calm and deadline <= now then
    take_out(account)
    changed(account, 'expired')
    return nil
  end
  local had = redis.call('HGET', KEYS[1], account)
  if had then
    return had, deadline
  end
  return 'waiting', deadline, tonumber(redis.call('ZSCORE', KEYS[2], account))
end

local function lose_at(deadline, account)
  redis.call('ZADD', KEYS[3], text(deadline), account)
end

-- It is here: never loses by that what another session, or a poll, keeps.
-- known: by when it lost what it had, before that; 0 if it had nothing
local function check_in(account, session, known)
  local deadline = now + poll
  if session then
    deadline = now + lease + grace
    is_new = redis.call('HSET', KEYS[4], account, text(deadline)) == 1 or is_new
  end
  lose_at(math.max(deadline, known), account)
end

local function seat(account)
  local since = redis.call('HGET', KEYS[5], account)
  redis.call('HSET', KEYS[1], account, 'in')
  redis.call('HDEL', KEYS[5], account)
  is_new = true
  changed(account, 'inside', since and now - since)
end

local function take_up(account)
  state.offers = state.offers - 1
  seat(account)
end

local function wait(account, ticket)
  redis.call('ZADD', KEYS[2], text(ticket), account)
  redis.call('HSETNX', KEYS[5], account, text(now))
  is_new = true
end

local function next_ticket()
  state.ticket = state.ticket + 1
  return state.ticket
end

local function pause_left()
  return math.max(tonumber(ARGV[4]), state.paused - now)
end

-- Whether what was lost is claimed still.
local function is_claimed()
  return math.max(tonumber(ARGV[4]), state.claims - now) > 0
end

-- Who gave up what it had can claim nothing, even if that was asked before and comes after. Lasts until it enters.
local function give_up_claims(account)
  redis.call('HSET', KEYS[4], account, '-1')
  is_new = true
end

local function gave_up_claims(account)
  return tonumber(redis.call('HGET', KEYS[4], account) or '0') < 0
end

-- began: as 16, of the capacity under which it had what it claims; nothing, if it claims nothing
local function may_claim(account, began)
  return is_claimed() and tonumber(began) == state.began and not gave_up_claims(account)
end

-- Free seats go to the head of the line: to one who is here at once, to another as an offer.
-- here: an account that is here by this very call, or nothing
local function fill(here)
  local tries = 0
  while held < state.capacity and pause_left() <= 0 and tries < AT_ONCE do
    local account = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
    if not account then
      return
    end
    tries = tries + 1
    if standing(account) then
      local session = tonumber(redis.call('HGET', KEYS[4], account) or '0')
      redis.call('ZREM', KEYS[2], account)
      held = held + 1
      if account == here or session - now > grace then
        seat(account)
      else
        redis.call('HSET', KEYS[1], account, 'offer')
        is_new = true
        state.offers = state.offers + 1
        lose_at(math.max(now + ARGV[13], session), account)
        changed(account, 'offer')
      end
    end
  end
end

-- Nobody is inside a room without a capacity, nor one whose capacity is another. Nodes go on for a lease with what they
-- know, so the next one begins with a pause. Some hear of it at once.
local function close()
  for i = 1, 2 do
    local some = i == 1 and redis.call('HRANDFIELD', KEYS[1], AT_ONCE * 10)
      or redis.call('ZRANGE', KEYS[2], 0, AT_ONCE * 10 - 1)
    for j = 1, #some do
      changed(some[j], 'left')
    end
  end
  redis.call('UNLINK', unpack(KEYS, 1, 6))
  held, state.offers, state.claims = 0, 0, 0
  state.paused = now + ARGV[14]
end

local times

local function estimate(ahead)
  if not times then
    times = redis.call('LRANGE', KEYS[6], 0, -1)
    while #times > 0 and tonumber(times[#times]) <= now - HOUR do
      times[#times] = nil
    end
  end
  if #times < 3 then
    return ''
  end
  return text(math.ceil((ahead + 1) * (now - times[#times]) / #times / 1000))
end

-- in; waiting, ahead, ticket, estimate in s or nothing; offer, until when; outside
local function said_of(account, had, deadline, ticket)
  if had == 'waiting' then
    local ahead = redis.call('ZRANK', KEYS[2], account)
    return {had, text(ahead), text(ticket), estimate(ahead)}
  elseif had == 'offer' then
    return {had, text(deadline)}
  end
  return {had or 'outside'}
end

local function state_of(account)
  return said_of(account, standing(account))
end

-- In how many ms there is something to do again; -1 if there is nobody.
local function due()
  local soon = -1
  local first = redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')
  if first[2] then
    soon = math.max(0, first[2] - now, tonumber(ARGV[5]))
  end
  if held < state.capacity and redis.call('ZCARD', KEYS[2]) > 0 then
    soon = math.min(soon, math.max(0, pause_left()))
  end
  return soon
end

-- Numbers: 1 the time; 2 when it is due; 3 whether the use of the room is to be noted; 4 inside, 5 offers, 6 waiting,
-- 7 capacity, 8 the rev with which it began, 9 the version, which rises with changes. Changes: account, kind, for how
-- long it waited or -1.
local function answer(states)
  local noting = now - state.noted >= HOUR
  if noting then
    state.noted = now
  end
  state.held, state.line = held, redis.call('ZCARD', KEYS[2])
  if #changes > 0 then
    state.version = state.version + 1
  end
  local fields = {}
  for name, value in pairs(state) do
    if stored[name] ~= value then
      fields[#fields + 1] = name
      fields[#fields + 1] = text(value)
    end
  end
  if #fields > 0 then
    redis.call('HSET', KEYS[7], unpack(fields))
  end
  if noting or is_new or not stored.epoch then
    for i = 1, #KEYS do
      redis.call('PEXPIRE', KEYS[i], ARGV[15])
    end
  end
  local numbers = {text(now), text(due()), noting and '1' or '0', text(held - state.offers), text(state.offers),
    text(state.line), text(state.capacity), text(state.began), text(state.version)}
  return {'ok', numbers, states, changes}
end

if ARGV[8] ~= '' and tonumber(ARGV[9]) >= state.rev then
  -- One that began after what is known here had none before it, of which nobody told.
  local is_over = ARGV[8] == '0' or tonumber(ARGV[16]) > state.rev
  state.capacity, state.rev, state.began = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[16])
  if is_over and redis.call('EXISTS', KEYS[3]) == 1 then
    close()
  end
end
if not calm then
  for _, account in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', text(now), 'LIMIT', 0, AT_ONCE)) do
    take_out(account)
    changed(account, 'expired')
  end
end
