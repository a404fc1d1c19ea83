-- What becomes of those who are added is decided for all at once.
DROP FUNCTION IF EXISTS addition_outcome(bigint, bigint, bigint, boolean);

-- Functions: d161ae3f16fa41a07b109eaaf4bb6ce4cad3de5987d3445f9e78c00e8b29c590
