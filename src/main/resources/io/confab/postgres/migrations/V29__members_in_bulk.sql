-- Members are added many at once, and one as one of many.
DROP FUNCTION IF EXISTS begin_membership(bigint, bigint, bigint);
DROP FUNCTION IF EXISTS ask_member(bigint, bigint, bigint);

-- Functions: c94a1acc6c918ffe9aa897549a50761dd938b1d261a8f9b9d2f2ea4580194713
