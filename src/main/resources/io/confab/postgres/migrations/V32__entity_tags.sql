-- Tags of rooms and accounts, and changes of rooms for whoever has seen them.

-- Functions: 9146bb60189e1031ca7666c557e48611f404adba88989c7c03051670b3989904
