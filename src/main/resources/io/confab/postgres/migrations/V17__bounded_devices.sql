CREATE INDEX device_issued ON device (issued_by) WHERE issued_by IS NOT NULL AND family_id IS NOT NULL;

-- Functions: 5aca54714dead255edb98261db4897a23a27ed4dce73dfb4df1f58cbe426bf09
