-- Who may not add a member waits for no account and holds none.

-- Functions: 61b1f48a36a04b4b666c4990c9ce4cea5bba36f80b038c654ca04c1f4e8fcafd
