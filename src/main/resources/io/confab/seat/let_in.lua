-- Puts an account at the head of the line; one that is inside, or was made an offer, stays so.
-- KEYS, ARGV  as seats.lua; then 17 account
-- Result: as seats.lua, with the state of the account
local account = ARGV[FIRST]
local had = standing(account)
if state.capacity > 0 and (not had or had == 'waiting') then
  state.head = state.head - 1
  wait(account, state.head)
  changed(account, 'waiting')
  if not had then
    check_in(account, false, 0)
  end
end
fill()
return answer({state_of(account)})
