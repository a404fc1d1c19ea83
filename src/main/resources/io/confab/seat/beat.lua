-- Sessions check in, and claim what their node honours if Redis has lost it. Nobody enters by it.
-- KEYS, ARGV  as seats.lua; then for each: account; seat, a ticket, or nothing, as it claims; with which rev the
--             capacity began under which it had that
-- Result: as seats.lua, with the state of each
local known = {}
for i = FIRST, #ARGV, 3 do
  local account, claim = ARGV[i], ARGV[i + 1]
  local had, deadline, ticket = standing(account)
  if had == 'offer' then
    take_up(account)
    had = 'in'
  elseif not had and claim ~= '' and may_claim(account, ARGV[i + 2]) then
    if claim == 'seat' then
      if held < state.capacity then
        held = held + 1
        seat(account)
        had = 'in'
      end
    elseif state.capacity > 0 and math.abs(tonumber(claim)) <= state.opening * BASE then
      had, ticket = 'waiting', tonumber(claim)
      wait(account, ticket)
    end
  end
  if had then
    check_in(account, true, deadline or 0)
  end
  known[#known + 1] = {account, had, ticket}
end
-- What was found of each holds until somebody is let in.
local before = #changes
fill()
local states = {}
for i, each in ipairs(known) do
  states[i] = each[2] and #changes == before and said_of(each[1], each[2], nil, each[3]) or state_of(each[1])
end
return answer(states)
