-- An account enters, joins the line, checks in, or takes up what it was offered. Who comes back within the grace is
-- still what it was, so nobody gains by going.
-- KEYS, ARGV  as seats.lua; then 16 account; 17 whether it is a session; 18 a ticket that it claims, or nothing;
--             19 whether it claims a seat
-- Result: as seats.lua, with the state of the account
local account, session = ARGV[FIRST], ARGV[FIRST + 1] == '1'
local claimed = tonumber(ARGV[FIRST + 2])
if state.capacity == 0 then
  return answer({{'outside'}})
end

local had = standing(account)
if had == 'offer' then
  take_up(account)
elseif not had then
  if ARGV[FIRST + 3] == '1' and may_claim() and held < state.capacity then
    held = held + 1
    seat(account)
  else
    local is_old = claimed and math.abs(claimed) <= state.opening * BASE
    wait(account, is_old and may_claim() and claimed or next_ticket())
    changed(account, 'waiting')
  end
end
check_in(account, session)
fill(account)
return answer({state_of(account)})
