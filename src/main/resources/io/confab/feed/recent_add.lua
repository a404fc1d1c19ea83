-- Adds events to the recent window of a room.
-- KEYS  1 the window: a sorted set by rev of "epoch seq version sealed-event"
-- ARGV  1 epoch, 2 how long the window is kept, in ms, 3 how many events it holds;
--       then of each event, in the order of the revs: rev, seq of the message that it is about or 0,
--       version (the rev that brought the message into the state that is told), 1 for an edit or
--       deletion, the sealed event
-- Result: nothing
-- The calls of several nodes may come in any order. Whatever their order:
-- · entries of one epoch only, the newest;
-- · at most one entry for a rev, and none more than the size behind the newest rev;
-- · of all entries about one message none tells an older state than another does. So an edit takes
--   away what told the message before, former edits too, and what comes late and is older than what
--   is there is left out. Either leaves a hole, unless the call fills it: who finds a hole asks the
--   database.
-- An original that was not changed, and is newer than all that is there, needs no look at the others.
local window, epoch, size = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[3])

local function header(entry)
  local of_epoch, seq, version = string.match(entry, '^(%d+) (%d+) (%d+) ')
  return tonumber(of_epoch), tonumber(seq), tonumber(version)
end

local highest = 0
local newest = redis.call('ZRANGE', window, -1, -1, 'WITHSCORES')
if newest[1] then
  local of_epoch = header(newest[1])
  if of_epoch and of_epoch > epoch then
    return
  elseif of_epoch == epoch then
    highest = tonumber(newest[2])
  else
    redis.call('DEL', window)
  end
end

-- Of each message that is told of: the version, and which entries tell it.
local versions, entries_of

local function look()
  versions, entries_of = {}, {}
  for _, entry in ipairs(redis.call('ZRANGE', window, 0, -1)) do
    local of_epoch, seq, version = header(entry)
    if of_epoch ~= epoch then
      redis.call('ZREM', window, entry)
    elseif seq > 0 then
      versions[seq] = math.max(versions[seq] or 0, version)
      entries_of[seq] = entries_of[seq] or {}
      table.insert(entries_of[seq], entry)
    end
  end
end

for i = 4, #ARGV, 5 do
  local rev, seq, version = tonumber(ARGV[i]), tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
  local is_change = ARGV[i + 3] == '1'
  local stale = false
  if is_change or rev <= highest then
    if not versions then
      look()
    end
    if seq > 0 then
      local known = versions[seq] or 0
      stale = known > version
      if known < version then
        for _, entry in ipairs(entries_of[seq] or {}) do
          redis.call('ZREM', window, entry)
        end
        entries_of[seq] = {}
      end
    end
  end
  if not stale then
    local entry = string.format('%.0f %.0f %.0f ', epoch, seq, version) .. ARGV[i + 4]
    if rev <= highest then
      redis.call('ZREMRANGEBYSCORE', window, rev, rev)
    end
    redis.call('ZADD', window, rev, entry)
    highest = math.max(highest, rev)
    if versions and seq > 0 then
      versions[seq] = version
      entries_of[seq] = entries_of[seq] or {}
      table.insert(entries_of[seq], entry)
    end
  end
end

redis.call('ZREMRANGEBYSCORE', window, '-inf', highest - size)
redis.call('PEXPIRE', window, ARGV[2])
