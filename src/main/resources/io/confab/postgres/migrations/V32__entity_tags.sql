-- Tags of rooms and accounts, and changes of rooms for whoever has seen them.

-- Functions: f9bea63a1acda3d3a5026e11e8c616d0f9b4ab86cc648706bcccd35bc33c41c3
