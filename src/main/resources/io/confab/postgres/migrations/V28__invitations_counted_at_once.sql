-- The invitations of several accounts are counted at once.
DROP FUNCTION IF EXISTS has_many_invitations(bigint, bigint);

-- Functions: 3d910833543465299a7ef671da0579a1cf41bfa3555fef165f544786b5ee9156
