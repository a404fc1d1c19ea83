-- Why a locked room cannot be sealed, or have what only sealed rooms have or may not have; null where it can:
--   not_sealable (a channel, or one with a capacity) | other_suite | seal_full | no_keys and whose device has none, of the two of a
--   direct room |
--   sealed (no capacity then) | not_sealed (so nothing expires)
CREATE OR REPLACE FUNCTION seal_refused(room_ bigint, suite_ text, capacity_ integer, expires_in_s_ integer) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
  place record;
BEGIN
  SELECT r.type, r.capacity, r.encryption_suite INTO place FROM room r WHERE r.room_id = room_;
  RETURN CASE
    WHEN suite_ IS NOT NULL AND place.encryption_suite IS NULL THEN
      CASE WHEN place.type = 'channel' OR coalesce(capacity_, place.capacity) > 0 THEN 'not_sealable'
           WHEN NOT can_be_sealed(room_, '{}') THEN 'seal_full'
           WHEN place.type = 'direct' THEN
             'no_keys ' || (SELECT string_agg(id_text(m.account_id), ', ' ORDER BY m.account_id)
                              FROM room_member m WHERE m.room_id = room_ AND NOT EXISTS (
                                SELECT FROM device_queue q WHERE q.account_id = m.account_id AND NOT q.dormant)) END
    WHEN suite_ <> place.encryption_suite THEN 'other_suite'
    WHEN capacity_ > 0 AND place.encryption_suite IS NOT NULL THEN 'sealed'
    WHEN expires_in_s_ > 0 AND coalesce(suite_, place.encryption_suite) IS NULL THEN 'not_sealed' END;
END $$;
