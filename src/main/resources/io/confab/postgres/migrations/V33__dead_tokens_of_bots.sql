-- A device of a bot that is signed out makes room for another.

-- Functions: fc420f318f3cc215707d9659e034e1a415a9d8f25d9a36ea5ac2b8af92a426f4
