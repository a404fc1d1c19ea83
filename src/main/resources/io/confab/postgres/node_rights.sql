-- What the role of the nodes (:node) may do, run by the owner after each migration. UPDATE stands also
-- where rows are only locked (FOR SHARE, FOR UPDATE) or met by ON CONFLICT DO UPDATE.
DO $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO :node', current_schema());
  EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC', current_schema());
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM :node', current_schema());
END $$;

GRANT SELECT ON flyway_schema_history TO :node;
GRANT SELECT, UPDATE ON instance TO :node;
GRANT SELECT, INSERT, DELETE ON signing_key TO :node;
GRANT SELECT, INSERT, UPDATE, DELETE ON lone_node TO :node;
GRANT SELECT, UPDATE ON sweep, seat_epoch TO :node;

GRANT SELECT, INSERT, UPDATE ON account, account_changes TO :node;
GRANT SELECT, INSERT, UPDATE, DELETE ON credential, device, refresh_token TO :node;
GRANT SELECT, INSERT, UPDATE, DELETE ON ticket TO :node;
GRANT SELECT, INSERT, UPDATE, DELETE ON kept_answer TO :node;
GRANT SELECT, INSERT ON bot_token, outside_identity TO :node;
GRANT SELECT, INSERT, DELETE ON block TO :node;
GRANT SELECT, INSERT, UPDATE, DELETE ON account_identity, vault, device_key TO :node;
GRANT SELECT, INSERT, UPDATE, DELETE ON one_time_key, spent_key, key_claim TO :node;
GRANT SELECT, INSERT ON presence_event TO :node;
GRANT SELECT ON presence_event_default TO :node;
GRANT SELECT, INSERT, UPDATE ON last_seen TO :node;
GRANT USAGE ON SEQUENCE session_number TO :node;
GRANT USAGE ON SEQUENCE device_key_registration_id_seq TO :node;

GRANT SELECT, INSERT, UPDATE ON room, room_position, room_seats, member_span TO :node;
GRANT SELECT, INSERT, UPDATE, DELETE ON marker, receipt TO :node;
GRANT SELECT, INSERT, UPDATE, DELETE ON room_member, room_invite, invitation, room_mute, room_ban TO :node;
GRANT SELECT, INSERT ON room_audit, room_change TO :node;
GRANT EXECUTE ON FUNCTION forget_audit(bigint, bigint) TO :node;

GRANT SELECT, INSERT, UPDATE ON message TO :node;
GRANT SELECT, INSERT, UPDATE, DELETE ON send_key TO :node;
GRANT SELECT, INSERT, DELETE ON message_version, mention TO :node;

GRANT SELECT, INSERT, UPDATE, DELETE ON device_queue, envelope, delivery_failure TO :node;
GRANT SELECT, INSERT, DELETE ON envelope_payload TO :node;
GRANT SELECT, INSERT, UPDATE ON delivery_span TO :node;
GRANT SELECT, INSERT, DELETE ON dead_letter TO :node;
GRANT USAGE ON SEQUENCE envelope_payload_number TO :node;
