-- Who is inside, for those inside and who looks after the room, and who waits.
-- KEYS, ARGV  as seats.lua; then 17 the most of each; 18 who looks; 19 whether it looks after the room
-- Result: as seats.lua, with some of those inside; the first in the line, behind those with an offer; the state of who
--         looks
fill()
local most, state_ = ARGV[FIRST], state_of(ARGV[FIRST + 1])
local leads = ARGV[FIRST + 2] == '1'
local inside, waiting = {}, {}
if leads or state_[1] == 'in' then
  local some = redis.call('HRANDFIELD', KEYS[1], most, 'WITHVALUES')
  for i = 1, #some, 2 do
    local list = some[i + 1] == 'in' and inside or waiting
    list[#list + 1] = some[i]
  end
  table.sort(inside)
end
if leads then
  for _, account in ipairs(redis.call('ZRANGE', KEYS[2], 0, most - 1)) do
    waiting[#waiting + 1] = account
  end
else
  waiting = {}
end
return answer({inside, waiting, state_})
