-- What calls have changed whose answers were lost.
-- KEYS  1 and more: where each call has put what it changed, as long as that is kept
-- Result: of each what it put there, or nothing
local result = {}
for i, key in ipairs(KEYS) do
  result[i] = redis.call('GET', key) or ''
end
return result
