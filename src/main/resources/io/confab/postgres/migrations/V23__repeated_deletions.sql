-- Deleting what is deleted already is no fault any more.

-- Functions: bbd9e185d17151600e4438c3aff8171c15c0e0388bd7ca3d2e948f27f31f82eb
