CREATE INDEX device_issued ON device (issued_by) WHERE issued_by IS NOT NULL AND family_id IS NOT NULL;

-- Functions: 342047be87f259e13d3f27e8213faa4b821c557794c6b6f46f4a884ccc649b0d
