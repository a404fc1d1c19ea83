-- Sessions check in, and claim what their node honours if Redis has lost it. Nobody enters by it.
-- KEYS, ARGV  as seats.lua; then for each: account; seat, a ticket, or nothing, as it claims
-- Result: as seats.lua, with the state of each
for i = FIRST, #ARGV, 2 do
  local account, claim = ARGV[i], ARGV[i + 1]
  local had = standing(account)
  if had == 'offer' then
    take_up(account)
  elseif not had and claim ~= '' and may_claim() then
    if claim == 'seat' then
      if held < state.capacity then
        held = held + 1
        seat(account)
        had = 'in'
      end
    elseif state.capacity > 0 and math.abs(tonumber(claim)) <= state.opening * BASE then
      wait(account, tonumber(claim))
      had = 'waiting'
    end
  end
  if had then
    check_in(account, true)
  end
end
fill()
local states = {}
for i = FIRST, #ARGV, 2 do
  states[#states + 1] = state_of(ARGV[i])
end
return answer(states)
