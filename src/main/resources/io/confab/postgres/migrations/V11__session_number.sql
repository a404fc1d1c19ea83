-- Orders the sessions of a device: each `hello` draws a number.
CREATE SEQUENCE session_number;
