-- Whether a node is the one that looks after all rooms. One that says nothing for a while is not any more.
-- KEYS  1 which node is
-- ARGV  1 the node; 2 for how long it goes on being it, in ms
-- Result: 1 if it is, else 0
local found = redis.call('GET', KEYS[1])
if found and found ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
