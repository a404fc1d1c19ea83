-- An edit or deletion that comes alone has a path of its own.

-- Functions: 8c7590a481ef45998169515d4cb2c7bf32660692b742af5a88cfe47e5ce8e8f1
