-- The two roles and the database of Confab, made once by the superuser of an empty server
-- (conf/compose.yaml mounts this): one role owns and migrates, the other runs the nodes.
\getenv owner_password CONFAB_OWNER_PASSWORD
\getenv node_password CONFAB_NODE_PASSWORD
CREATE ROLE confab_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE confab_node LOGIN PASSWORD :'node_password';
CREATE DATABASE confab OWNER confab_owner;
REVOKE ALL ON DATABASE confab, postgres, template1 FROM PUBLIC;
GRANT CONNECT ON DATABASE confab TO confab_node;
