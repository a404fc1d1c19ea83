-- Accounts enter, join the line, check in, or take up what they were offered, one after the other. Who comes back within
-- the grace is still what it was, so nobody gains by going.
-- KEYS, ARGV  as seats.lua; then for each: account; whether it is a session; a ticket that it claims, and with which rev
--             the capacity began under which it had that; and with which the one under which it had the seat that it
--             claims. Nothing, where it claims none
-- Result: as seats.lua, with the state of each
for i = FIRST, state.capacity > 0 and #ARGV or 0, 5 do
  local account, session = ARGV[i], ARGV[i + 1] == '1'
  local claimed = tonumber(ARGV[i + 2])
  local had, deadline = standing(account)
  if had == 'offer' then
    take_up(account)
  elseif not had then
    local claims_place, claims_seat = may_claim(account, ARGV[i + 3]), may_claim(account, ARGV[i + 4])
    redis.call('HDEL', KEYS[4], account)
    if claims_seat and held < state.capacity then
      held = held + 1
      seat(account)
    else
      local is_old = claims_place and math.abs(claimed) <= state.opening * BASE
      wait(account, is_old and claimed or next_ticket())
      changed(account, 'waiting')
    end
  end
  check_in(account, session, deadline or 0)
  fill(account)
end
local states = {}
for i = FIRST, #ARGV, 5 do
  states[#states + 1] = state_of(ARGV[i])
end
return answer(states)
