-- Why an account of that relation may not change a room of that state; null where it may:
--   not_found | forbidden | banned | archived
-- The rights and relations are those of RoomRight and RoomRelation; a room that does not exist has none.
CREATE OR REPLACE FUNCTION room_refused(right_ text, relation_ text, archived_ boolean) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN relation_ = ANY (CASE right_
           WHEN 'join'            THEN '{owner,admin,member,visitor}'::text[]
           WHEN 'join_by_invite'  THEN '{owner,admin,member,visitor,stranger}'
           WHEN 'leave'           THEN '{owner,admin,member}'
           WHEN 'add_member'      THEN '{owner,admin}'
           WHEN 'invite'          THEN '{owner,admin}'
           WHEN 'change_settings' THEN '{owner,admin}'
           WHEN 'seal'            THEN '{owner,partner}'
           WHEN 'set_expiry'      THEN '{owner,admin,partner}'
           WHEN 'kick'            THEN '{owner,admin}'
           WHEN 'ban'             THEN '{owner,admin}'
           WHEN 'mute'            THEN '{owner,admin}'
           WHEN 'act_on_admin'    THEN '{owner}'
           WHEN 'act_on_owner'    THEN '{}'
           WHEN 'change_roles'    THEN '{owner}'
           WHEN 'transfer'        THEN '{owner}'
           WHEN 'archive'         THEN '{owner}' END)
      THEN CASE WHEN archived_ AND right_ NOT IN ('leave', 'archive') THEN 'archived' END
    WHEN relation_ = 'banned' AND right_ IN ('join', 'join_by_invite') THEN 'banned'
    WHEN relation_ IN ('owner', 'admin', 'member', 'partner', 'visitor') THEN 'forbidden'
    ELSE 'not_found' END
$$;
