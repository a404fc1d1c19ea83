-- Tags of rooms and accounts, and changes of rooms for whoever has seen them.

-- Functions: 3d910833543465299a7ef671da0579a1cf41bfa3555fef165f544786b5ee9156
