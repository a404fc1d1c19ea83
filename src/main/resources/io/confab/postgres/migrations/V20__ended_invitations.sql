-- What nodes look at by themselves: which invitations changed, whose time is over, and which ended long ago.
CREATE INDEX invitation_lately ON invitation (changed_at, account_id, room_id);
CREATE INDEX invitation_asked ON invitation (ts) WHERE open;
CREATE INDEX invitation_closed ON invitation (changed_at) WHERE NOT open;

-- Functions: cd82d566677a43107288bf455f43355cf12a1f0eebbae4d012c144a00f354fc2
