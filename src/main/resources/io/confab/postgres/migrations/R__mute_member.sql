-- Mutes a member until a time; one that is muted until then already stays so. As join_room.
CREATE OR REPLACE FUNCTION mute_member(
  room_ bigint, caller_ bigint, member_ bigint, until_ timestamptz, OUT refusal text, OUT before bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  place record;
  ms    bigint := extract(epoch FROM until_) * 1000;
BEGIN
  SELECT * INTO place FROM lock_room(room_, caller_, member_);
  refusal := coalesce(room_refused('mute', place.relation, place.archived),
                      CASE WHEN place.member_role IS NULL THEN 'no_member' END,
                      act_refused('mute', place.member_role, place.relation, place.archived),
                      CASE WHEN until_ <= clock_timestamp() THEN 'past' END);
  IF refusal IS NULL AND place.member_muted_until IS DISTINCT FROM until_ THEN
    INSERT INTO room_mute (room_id, account_id, until) VALUES (room_, member_, until_)
      ON CONFLICT (room_id, account_id) DO UPDATE SET until = excluded.until;
    UPDATE room_member m SET muted_until = until_ WHERE m.room_id = room_ AND m.account_id = member_;
    PERFORM tell_room(room_, caller_, 'member.muted',
                      jsonb_build_object('account_id', id_text(member_), 'until', ms));
    PERFORM note_room(room_, caller_, 'member.muted', member_, jsonb_build_object('until', ms));
  END IF;
  before := CASE WHEN refusal IS NULL THEN place.rev END;
END $$;
