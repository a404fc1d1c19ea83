-- Lets what is over be over, and the next ones in.
-- KEYS, ARGV  as seats.lua; then accounts
-- Result: as seats.lua, with the state of each
fill()
local states = {}
for i = FIRST, #ARGV do
  states[#states + 1] = state_of(ARGV[i])
end
return answer(states)
