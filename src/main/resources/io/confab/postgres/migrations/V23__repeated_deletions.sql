-- Deleting what is deleted already is no fault any more.

-- Functions: a5fe4fb5c55905458eceed3a82c7cc2cc19eb6e8ca39c8cd5a5303b8d4aaa874
