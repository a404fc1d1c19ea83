-- An account gives up what it has, or it is taken from it; the seat goes to the next one.
-- KEYS, ARGV  as seats.lua; then 17 what that is called, 18 and more: accounts
-- Result: as seats.lua, with what each had, or outside
local states = {}
for i = FIRST + 1, #ARGV do
  local had = standing(ARGV[i])
  if had then
    take_out(ARGV[i])
    changed(ARGV[i], ARGV[FIRST])
  end
  if is_claimed() then
    give_up_claims(ARGV[i])
  end
  states[#states + 1] = {had or 'outside'}
end
fill()
return answer(states)
