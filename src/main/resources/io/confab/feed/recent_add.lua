-- Adds events to recent windows of rooms. What it does for an event does not depend on how many
-- events its window holds, but for those that it pushes out: for their revs FORGOTTEN in all.
-- KEYS  windows, one as often as calls were made: each of a room in one epoch, a hash with low, high (the revs
--       between which entries may stand), bytes (what the entries take, about), and
--         <rev>   the sealed event, or empty: it must not be read any more
--         s<seq>  of a message that was changed: the rev of the newest change that was told
--         c<rev>  of that change: the seq
-- ARGV  1 how long a window is kept, in ms, 2 how many revs it holds, 3 how many bytes;
--       then for each window how many events it gets and of each, in the order of the revs: rev, seq of the message
--       that it is about or 0, version (the rev that brought the message into the state that is told),
--       1 for an edit or deletion, the sealed event
-- Result: of each window how many bytes it holds
-- The calls of several nodes may come in any order. An event that was told is not replaced, except
-- by a newer state of its message. A change empties the change of the same message before it, which
-- tells an older state; one that is told after a newer one stays empty. So an older state is taken
-- away, or it stands before an entry that is empty or missing: a hole. Who reads takes only what
-- stands behind the last hole.
local most, most_bytes = tonumber(ARGV[2]), tonumber(ARGV[3])
local FIELDS = 5 -- of an event in ARGV
local ENTRY = 128 -- what Redis needs for an entry beside its bytes, about
local FORGOTTEN = 256 -- for their revs, one by one; a window with more that is too old begins anew
local forgotten = 0
local window, low, high, bytes

local function text(number)
  return string.format('%.0f', number)
end

local function forget_lowest()
  forgotten = forgotten + 1
  local rev = text(low)
  local size = redis.call('HSTRLEN', window, rev)
  local seq = redis.call('HGET', window, 'c' .. rev)
  if seq then
    redis.call('HDEL', window, 'c' .. rev, 's' .. seq)
  end
  if redis.call('HDEL', window, rev) == 1 then
    bytes = bytes - size - ENTRY
  end
  low = low + 1
end

local function put(rev, entry)
  bytes = bytes + #entry - redis.call('HSTRLEN', window, rev)
  if redis.call('HSET', window, rev, entry) == 1 then
    bytes = bytes + ENTRY
  end
end

-- Whether no newer state of the message was told than that of this version.
local function is_newest(seq, version)
  local told = redis.call('HGET', window, 's' .. seq)
  if tonumber(version) < math.max(low, tonumber(told or 0)) then
    return false
  elseif told and told ~= version then
    redis.call('HDEL', window, 'c' .. told)
    put(told, '')
  end
  redis.call('HSET', window, 's' .. seq, version, 'c' .. version, seq)
  return true
end

-- Begins with the window as it is, or anew, so that its newest event may be the one with this rev.
local function begin(oldest, newest)
  local state = redis.call('HMGET', window, 'low', 'high', 'bytes')
  low, high, bytes = tonumber(state[1]), tonumber(state[2]), tonumber(state[3])
  local over = low and high and math.max(high, newest) - most - low + 1
  if not (over and bytes) or newest - high >= most or over > 0 and forgotten + over > FORGOTTEN then
    redis.call('DEL', window)
    low, high, bytes = math.max(oldest, newest - most + 1), newest, 0
  end
  high = math.max(high, newest)
  while low <= high - most do
    forget_lowest()
  end
end

-- Adds the events that stand in ARGV from here to there.
local function add(first, last)
  begin(tonumber(ARGV[first]), tonumber(ARGV[last - FIELDS + 1]))
  local restated = {}
  for i = first, last, FIELDS do
    local rev, seq, version, entry = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 4]
    local is_change, is_held = ARGV[i + 3] == '1', tonumber(rev) >= low
    if version == rev and not is_change then
      if is_held and redis.call('HSETNX', window, rev, entry) == 1 then
        bytes = bytes + #entry + ENTRY
      end
    else
      local is_told = is_newest(seq, version)
      if is_held and is_change and not restated[seq] then
        put(text(tonumber(rev) - 1), '') -- the message stands before it as it was
      end
      if is_held and (is_told or is_change) then
        put(rev, is_told and entry or '')
      end
      restated[seq] = true
    end
  end
  while bytes > most_bytes and low < high do
    forget_lowest()
  end
  redis.call('HSET', window, 'low', text(low), 'high', text(high), 'bytes', text(bytes))
  redis.call('PEXPIRE', window, ARGV[1])
  return bytes
end

local result, at = {}, 4
for i, key in ipairs(KEYS) do
  window = key
  local last = at + FIELDS * tonumber(ARGV[at])
  result[i] = add(at + 1, last)
  at = last + 1
end
return result
