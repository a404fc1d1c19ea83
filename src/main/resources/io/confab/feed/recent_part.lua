-- Reads a part of the recent window of a room: the first of the events behind its last hole.
-- KEYS  1 the window, as recent_add.lua leaves it
-- ARGV  1 the rev after which to read, 2 the rev up to which none may be missing, 3 how many events at
--       most, 4 after how many bytes to stop; one event more may come
-- Result: the entries in the order of the revs; none where the one at 2 is missing or empty
local window, after, up_to = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local most, bytes = tonumber(ARGV[3]), tonumber(ARGV[4])

local function field(rev)
  return string.format('%.0f', rev)
end

local first = up_to + 1
while first - 1 > after and redis.call('HSTRLEN', window, field(first - 1)) > 0 do
  first = first - 1
end

local entries, size = {}, 0
for rev = first, math.min(up_to, first + most - 1) do
  if size >= bytes then
    break
  end
  local entry = redis.call('HGET', window, field(rev))
  table.insert(entries, entry)
  size = size + #entry
end
return entries
