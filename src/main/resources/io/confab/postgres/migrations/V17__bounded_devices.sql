CREATE INDEX device_issued ON device (issued_by) WHERE issued_by IS NOT NULL AND family_id IS NOT NULL;

-- Functions: 4e65381648f918e8fe52580e57d095e86df9a9b653c0e7f936a5f2074e4793d7
