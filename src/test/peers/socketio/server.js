// A chat server as one writes it with Socket.IO and PostgreSQL: a message is inserted, then told to its room and
// acknowledged. One chain of promises a room gives all members the same order. What `shout` sends is not stored.
'use strict'

const { createServer } = require('node:http')
const { Pool } = require('pg')
const { Server } = require('socket.io')

const POOL = 10
const INSERT = {
  name: 'insert',
  text: 'INSERT INTO message (room, sender, body) VALUES ($1, $2, $3) RETURNING id, ts',
}
const TABLE =
  'CREATE TABLE IF NOT EXISTS message (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, room text NOT NULL, ' +
  'sender text NOT NULL, body text NOT NULL, ts timestamptz NOT NULL DEFAULT clock_timestamp())'

const pool = new Pool({ connectionString: process.argv[2], max: POOL })
const http = createServer((_, response) => response.end('{}'))
const io = new Server(http, { transports: ['websocket'] })
const chains = new Map()

async function store(room, sender, body) {
  const { rows } = await pool.query({ ...INSERT, values: [room, sender, body] })
  return { room, id: Number(rows[0].id), sender, ts: rows[0].ts.getTime(), body }
}

// Runs after what the room did before; one that fails does not end the others.
function inTurn(room, what) {
  const turn = (chains.get(room) ?? Promise.resolve()).then(what)
  const rest = turn.catch(() => {})
  chains.set(room, rest)
  rest.then(() => chains.get(room) === rest && chains.delete(room))
  return turn
}

io.on('connection', (socket) => {
  const { person, rooms } = socket.handshake.auth
  socket.join(rooms)
  socket.emit('joined')
  socket.on('say', (room, body, ack) =>
    inTurn(room, async () => {
      const message = await store(room, person, body)
      io.to(room).emit('message', message)
      ack({ id: message.id, ts: message.ts })
    }).catch((error) => ack({ error: String(error) })),
  )
  socket.on('shout', (room, body, ack) => {
    io.to(room).emit('message', { room, id: 0, sender: person, ts: Date.now(), body })
    ack({ id: 0 })
  })
})

pool.query(TABLE).then(() =>
  http.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => console.log(`listens on ${http.address().port}`)),
)
process.on('SIGTERM', () => process.exit(0))
