-- Reads a part of the recent window of a room: the first of the events behind its last hole.
-- KEYS  1 the window, as recent_add.lua leaves it
-- ARGV  1 the rev after which to read, 2 the rev up to which none may be missing, 3 how many events at
--       most, 4 after how many bytes to stop; one event more may come
-- Result: the entries in the order of the revs; none where the one at 2 is missing
local window, after, up_to = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local most, bytes = tonumber(ARGV[3]), tonumber(ARGV[4])

-- Behind what has no hole there is none: so the rev after the last hole is found by halving.
local from, hole_free = after + 1, up_to + 1
while from < hole_free do
  local middle = math.floor((from + hole_free) / 2)
  if redis.call('ZCOUNT', window, middle, up_to) == up_to - middle + 1 then
    hole_free = middle
  else
    from = middle + 1
  end
end

local entries, size = {}, 0
local last = math.min(up_to, hole_free + most - 1)
for rev = hole_free, last do
  if size >= bytes then
    break
  end
  local entry = redis.call('ZRANGEBYSCORE', window, rev, rev)[1]
  table.insert(entries, entry)
  size = size + #entry
end
return entries
