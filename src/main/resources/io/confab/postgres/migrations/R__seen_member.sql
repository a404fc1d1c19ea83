-- A member of a room as it is now, also after what the same statement did before; nothing where that was
-- refused (changed_ is null) or nobody is asked for.
CREATE OR REPLACE FUNCTION seen_member(room_ bigint, member_ bigint, changed_ bigint)
RETURNS TABLE (account_id bigint, handle text, display_name text, role text, joined_at timestamptz,
               muted_until timestamptz)
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF changed_ IS NOT NULL AND member_ IS NOT NULL THEN
    RETURN QUERY
      SELECT m.account_id, a.handle, a.display_name, m.role, m.joined_at,
             CASE WHEN m.muted_until > clock_timestamp() THEN m.muted_until END
        FROM room_member m JOIN account a USING (account_id)
       WHERE m.room_id = room_ AND m.account_id = member_;
  END IF;
END $$;
