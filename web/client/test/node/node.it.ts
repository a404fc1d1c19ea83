import assert from "node:assert/strict";
import { after, test } from "node:test";
import { MemoryStore, openClient, type Client, type ClientOptions, type Message, type RoomView } from "../../src/index.ts";

/** Against a real node: `CONFAB_SERVER=http://127.0.0.1:8080 npm run test:node`. */
const server = process.env["CONFAB_SERVER"];
if (!server) throw new Error("CONFAB_SERVER must name a running node, such as http://127.0.0.1:8080");

const PASSWORD = "correct horse";
const WAIT_MS = 20_000;
const opened: Client[] = [];
after(() => Promise.all(opened.map((client) => client.close())));

/** Sockets of one client, which a test can cut. */
class Wire {
  readonly #sockets = new Set<WebSocket>();
  away = false;

  readonly environment: NonNullable<ClientOptions["environment"]> = {
    fetch: (input, init) => (this.away ? Promise.reject(new TypeError("away")) : fetch(input, init)),
    socket: (url, protocol) => {
      const socket = new WebSocket(this.away ? "ws://127.0.0.1:1/" : url, protocol);
      this.#sockets.add(socket);
      socket.addEventListener("close", () => this.#sockets.delete(socket));
      return socket as never;
    },
  };

  cut(): void {
    for (const socket of this.#sockets) socket.close();
  }
}

async function person(store = new MemoryStore()) {
  const wire = new Wire();
  const options = { device: { name: "Test", platform: "node" }, servers: [server!], store, environment: wire.environment };
  const client = await openClient(options);
  opened.push(client);
  return { client, wire, store };
}

function handleOf(name: string): string {
  return `${name}-${Date.now().toString(36)}-${Math.floor(Math.random() * 1e6).toString(36)}`;
}

async function until(what: () => boolean, about: string): Promise<void> {
  const end = Date.now() + WAIT_MS;
  while (!what()) {
    if (Date.now() > end) assert.fail(`never: ${about}`);
    await new Promise((done) => setTimeout(done, 5));
  }
}

async function signedUp(name: string) {
  const handle = handleOf(name);
  const one = await person();
  await one.client.signUp(handle, PASSWORD, name.toUpperCase());
  await one.client.signIn(handle, PASSWORD);
  await until(() => one.client.connection.value.state === "live" && one.client.listed.value, `${name} is live`);
  const session = one.client.session.value;
  assert.ok(session.state === "signed_in");
  return { ...one, handle, account_id: session.account_id };
}

function bodies(room: RoomView): string[] {
  return room.log.value.messages.map((message) => ("body" in message ? message.body : "†"));
}

async function whole(client: Client, room_id: string): Promise<Message[]> {
  const all: Message[] = [];
  for (let has_newer = true, after_ = 0; has_newer; ) {
    const page = await client.api.ask("readHistory", { room_id, after: after_, limit: 200 });
    all.push(...page.messages);
    has_newer = page.has_newer;
    after_ = all.at(-1)?.seq ?? 0;
  }
  return all;
}

test("two people talk, edit, delete and read", async () => {
  const ada = await signedUp("ada");
  const bob = await signedUp("bob");
  const { room_id } = await ada.client.api.ask("createRoom", { body: { type: "group", name: "Tea", members: [bob.account_id] } });
  await until(() => bob.client.rooms.value.has(room_id) || bob.client.invitations.value.length > 0, "Bob is asked or added");
  if (!bob.client.rooms.value.has(room_id)) await bob.client.api.ask("acceptInvitation", { room_id });
  await until(() => ada.client.rooms.value.has(room_id) && bob.client.rooms.value.has(room_id), "both are in the room");
  const [mine, theirs] = [ada.client.room(room_id), bob.client.room(room_id)];
  const sees = (): boolean => {
    mine.typing(); // a key that may be lost is followed by another one
    return bob.client.rooms.value.get(room_id)?.typing.length === 1;
  };
  await until(sees, "Bob sees that Ada types");
  mine.send("Hello, Bob.");
  mine.send(`@${bob.handle} are you there?`);
  await until(() => bodies(theirs).length === 2, "Bob has both");
  assert.equal(bob.client.rooms.value.get(room_id)?.unread, 2);
  assert.equal(bob.client.rooms.value.get(room_id)?.mentions, 1);
  await until(() => mine.receipts.value.delivered_seq === 2, "Ada sees that they were delivered");
  theirs.read(2);
  await until(() => mine.receipts.value.read_seq === 2, "Ada sees that they were read");
  await theirs.markUnread(2);
  await until(() => bob.client.rooms.value.get(room_id)?.unread_from === 2, "one is unread again");
  assert.equal(bob.client.rooms.value.get(room_id)?.unread, 1);
  await mine.edit(1, "Hello, dear Bob.");
  await mine.delete(2);
  await until(() => bodies(theirs).join() === "Hello, dear Bob.,†", "Bob sees both changes");
  const page = await theirs.history();
  assert.deepEqual(page.messages, theirs.log.value.messages);
  assert.equal(bob.client.person(ada.account_id), undefined);
  await until(() => bob.client.people.value.get(ada.account_id)?.display_name === "ADA", "Bob knows the name");
  bob.client.watch({ accounts: [ada.account_id], rooms: [room_id] });
  await until(() => bob.client.presence.value.get(ada.account_id)?.status === "online", "Bob sees that Ada is there");
  ada.client.setPresence("away", "At lunch");
  await until(() => bob.client.presence.value.get(ada.account_id)?.text === "At lunch", "and what she says of herself");
  await assert.rejects(theirs.edit(1, "not mine"), { code: "forbidden" });
  assert.equal((await theirs.loadMembers()).size, 2);
});

test("logs are the same after connections that were cut", async () => {
  const people = await Promise.all(["cam", "dee", "eve"].map(signedUp));
  const [first] = people as [(typeof people)[0]];
  const room = await first.client.api.ask("createRoom", { body: { type: "channel", name: handleOf("cut") } });
  for (const { client } of people) await client.api.ask("join", { room_id: room.room_id });
  const views = people.map(({ client }) => client.room(room.room_id));
  await until(() => people.every(({ client }) => client.rooms.value.has(room.room_id)), "all are in the room");
  const sent: string[] = [];
  for (let turn = 0; turn < 60; turn++) {
    const who = Math.floor(Math.random() * people.length);
    sent.push(views[who]!.send(`m${turn}`).client_id);
    const unlucky = people[Math.floor(Math.random() * people.length)]!;
    if (turn % 4 === 0) unlucky.wire.cut();
    if (turn % 7 === 0) unlucky.wire.away = !unlucky.wire.away;
    await new Promise((done) => setTimeout(done, 10));
  }
  for (const { client, wire } of people) {
    wire.away = false;
    client.connect();
  }
  await until(() => views.every((view) => view.pending.value.length === 0 && view.log.value.messages.length === 60), "all is there");
  const stored = await whole(first.client, room.room_id);
  assert.deepEqual(stored.map((message) => message.client_id).sort(), [...sent].sort());
  for (const view of views) assert.deepEqual(view.log.value.messages, stored);
});

test("what waits survives the end of a program", async () => {
  const finn = await signedUp("finn");
  const room = await finn.client.api.ask("createRoom", { body: { type: "channel", name: handleOf("kept") } });
  await until(() => finn.client.rooms.value.has(room.room_id), "it is there");
  finn.wire.away = true;
  finn.wire.cut();
  const view = finn.client.room(room.room_id);
  for (const body of ["1", "2", "3"]) view.send(body);
  await finn.client.close();
  const again = await person(finn.store);
  assert.deepEqual(again.client.room(room.room_id).pending.value.map((each) => each.body), ["1", "2", "3"]);
  await until(() => bodies(again.client.room(room.room_id)).join() === "1,2,3", "all are sent");
  await again.client.signOut();
  assert.equal(again.client.session.value.state, "signed_out");
});
