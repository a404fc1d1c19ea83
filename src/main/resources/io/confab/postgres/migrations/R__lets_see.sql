-- Whether an account lets another one see what this setting is about: everyone | shared_rooms | nobody. Whom it blocked
-- sees nothing, itself sees all.
CREATE OR REPLACE FUNCTION lets_see(setting text, account_ bigint, viewer bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT account_ = viewer
      OR (NOT has_blocked(account_, viewer)
          AND CASE setting
                WHEN 'everyone' THEN true
                WHEN 'shared_rooms' THEN are_together(account_, viewer)
                ELSE false END)
$$;
