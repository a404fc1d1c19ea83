-- Tags of rooms and accounts, and changes of rooms for whoever has seen them.

-- Functions: 6c1f1c2a2a49a1414fa2adfb31559ae370c38c847a2cadd2ab310ac4b4110675
