-- A run of edits and deletions is one call.
DROP FUNCTION edit_message, delete_message;

-- Functions: ef5669660689c62b9951bbd02d317ed0b727a69d392789377068cf4094d8faa4
