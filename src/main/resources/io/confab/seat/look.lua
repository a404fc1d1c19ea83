-- Who is inside, and who waits.
-- KEYS, ARGV  as seats.lua; then 16 the most of each; 17 who looks
-- Result: as seats.lua, with some of those inside; the first in the line; the state of who looks
fill()
local inside = {}
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  if all[i + 1] == 'in' and #inside < tonumber(ARGV[FIRST]) then
    inside[#inside + 1] = all[i]
  end
end
return answer({inside, redis.call('ZRANGE', KEYS[2], 0, ARGV[FIRST] - 1), state_of(ARGV[FIRST + 1])})
