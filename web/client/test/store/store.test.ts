import "fake-indexeddb/auto";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message, MessageDeleted } from "../../src/protocol/things.ts";
import { IndexedDbStore } from "../../src/store/indexedDb.ts";
import { openClient } from "../../src/client/open.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import { ReopenedStore } from "../../src/store/reopened.ts";
import type { Store } from "../../src/store/store.ts";

/** What a browser keeps of an origin beside its database. */
const beside = new Map<string, string>();
globalThis.localStorage = {
  getItem: (name: string) => beside.get(name) ?? null,
  setItem: (name: string, text: string) => void beside.set(name, text),
  removeItem: (name: string) => void beside.delete(name),
} as Storage;

let databases = 0;
const stores: Record<string, () => Promise<Store>> = {
  memory: async () => new MemoryStore(),
  "the browser's database": () => IndexedDbStore.open(`test ${++databases}`),
};

function message(room_id: string, seq: number, body = `m${seq}`): Message {
  return { room_id, seq, rev: seq, sender_id: "a", client_id: `c${seq}`, msg_type: "text", body, ts: seq };
}

function deletion(room_id: string, seq: number): MessageDeleted {
  return { type: "room.event", kind: "message.deleted", room_id, rev: 100, epoch: 1, actor_id: "b", ts: 9, seq, deleted_by: "b" };
}

for (const [name, open] of Object.entries(stores)) {
  test(`${name} gives back what was written`, async () => {
    const store = await open();
    assert.deepEqual(await store.load(), { rooms: [], sends: [], people: [] });
    const session = { account_id: "a", device_id: "d", handle: "ada" };
    const room = { room_id: "r", draft: "x", used_at: 1, position: { room_id: "r", epoch: 1, seq: 2, rev: 3 } };
    const send = (client_id: string, order: number) =>
      ({ client_id, room_id: "r", body: "b", made_at: 1, state: "waiting", order }) as const;
    const bob = { account_id: "b", handle: "bob", display_name: "Bob" };
    await store.write({ session, device_id: "d", live_at: 7, rooms: [room], sends: [send("z", 1), send("a", 2)], people: [bob] });
    assert.deepEqual(await store.load(), {
      device_id: "d",
      session,
      live_at: 7,
      rooms: [room],
      sends: [send("z", 1), send("a", 2)],
      people: [bob],
    });
    await store.write({ settled: ["z"], forgotten: ["r"], session: undefined });
    const left = await store.load();
    assert.deepEqual([left.sends, left.rooms, left.session], [[send("a", 2)], [], undefined]);
    store.close();
  });

  test(`${name} lets go of all but what is not sent, at once with what is written then`, async () => {
    const store = await open();
    const send = { client_id: "c", room_id: "r", body: "b", made_at: 1, state: "waiting", order: 1 } as const;
    const owed = { account_id: "a", device_id: "d" };
    await store.write({ device_id: "d", owed, rooms: [{ room_id: "r", draft: "x", used_at: 1 }], sends: [send], messages: [message("r", 1)] });
    await store.write({ people: [{ account_id: "b", handle: "bob", display_name: "Bob" }] });
    const left = { room_id: "s", draft: "y", used_at: 0 };
    await store.write({ cleared: true, rooms: [left] });
    assert.deepEqual(await store.load(), { device_id: "d", owed, rooms: [left], sends: [send], people: [] });
    assert.deepEqual(await store.messages("r"), []);
    await store.clear();
    assert.deepEqual(await store.load(), { device_id: "d", owed, rooms: [], sends: [], people: [] });
  });

  test(`${name} keeps messages in order, cuts them, and makes tombstones of those that are there`, async () => {
    const store = await open();
    await store.write({ messages: [message("r", 10), message("r", 9), message("s", 1)] });
    await store.write({ messages: [message("r", 11, "new")], deletions: [deletion("r", 10), deletion("r", 5)] });
    const kept = await store.messages("r");
    assert.deepEqual(kept.map((each) => each.seq), [9, 10, 11]);
    assert.deepEqual(kept[1], {
      room_id: "r",
      seq: 10,
      rev: 10,
      sender_id: "a",
      client_id: "c10",
      msg_type: "text",
      ts: 10,
      changed_rev: 100,
      deleted_at: 9,
      deleted_by: "b",
    });
    await store.write({ cut: [{ room_id: "r", below: 11 }] });
    assert.deepEqual((await store.messages("r")).map((each) => each.seq), [11]);
    await store.write({ cut: [{ room_id: "r", below: Infinity }], messages: [message("r", 20)] });
    assert.deepEqual((await store.messages("r")).map((each) => each.seq), [20]);
    assert.equal((await store.messages("s")).length, 1);
    store.close();
  });

  test(`${name} keeps the newer copy of an edited message`, async () => {
    const store = await open();
    const edited = (rev: number): Message => ({ ...message("r", 1, `at ${rev}`), changed_rev: rev });
    await store.write({ messages: [message("r", 1)], edits: [edited(3)] });
    await store.write({ edits: [edited(2), { ...message("r", 2), changed_rev: 9 }] });
    assert.deepEqual(await store.messages("r"), [edited(3)]);
    store.close();
  });

  test(`${name} forgets all but the device`, async () => {
    const store = await open();
    const session = { account_id: "a", device_id: "d", handle: "ada" };
    await store.write({ device_id: "d", session, live_at: 3, messages: [message("r", 1)] });
    await store.clear();
    assert.deepEqual(await store.load(), { device_id: "d", rooms: [], sends: [], people: [] });
    assert.deepEqual(await store.messages("r"), []);
    store.close();
  });

  test(`${name} shows at once nothing of what nobody owns any more, until somebody signs in anew`, async () => {
    const store = await open();
    const session = { account_id: "a", device_id: "d", handle: "ada" };
    const room = { room_id: "r", draft: "", used_at: 1 };
    const old = { device_id: "d", session, owed: { account_id: "b", device_id: "d" }, rooms: [room], messages: [message("r", 1)] };
    const none = { device_id: "d", owed: old.owed, rooms: [], sends: [], people: [] };
    await store.write(old);
    const late = store.write({ rooms: [{ ...room, draft: "late" }] });
    store.disown();
    await late;
    assert.deepEqual([await store.load(), await store.messages("r")], [{ ...none, disowned: true }, []]);
    await store.write({ session: { ...session, ended: "revoked" } });
    assert.equal((await store.load()).disowned, true, "an end is no beginning");
    await store.write({ session: { ...session, handle: "eve" } });
    assert.deepEqual([await store.load(), await store.messages("r")], [{ ...none, session: { ...session, handle: "eve" } }, []]);
    await store.write(old);
    store.disown();
    await store.clear();
    assert.deepEqual([await store.load(), await store.messages("r")], [none, []]);
    store.close();
  });
}

test("what is written to the database is there when it is opened again", async () => {
  const first = await IndexedDbStore.open("again");
  await first.write({ messages: [message("r", 1)] });
  first.close();
  const second = await IndexedDbStore.open("again");
  assert.equal((await second.messages("r")).length, 1);
  second.close();
});

test("a database that fails says that nothing is kept", async () => {
  const store = await IndexedDbStore.open("closed");
  store.close();
  await assert.rejects(store.write({ device_id: "d" }), { code: "not_kept" });
  await assert.rejects(store.load(), { code: "not_kept" });
});

test("a database that was closed beneath a store is opened anew", async () => {
  const name = `test ${++databases}`;
  const first = await IndexedDbStore.open(name);
  let opened = 0;
  const store = new ReopenedStore(first, () => (opened++, IndexedDbStore.open(name)));
  await store.write({ device_id: "d" });
  first.close();
  assert.deepEqual(await Promise.all([store.load(), store.messages("r")]), [{ device_id: "d", rooms: [], sends: [], people: [] }, []]);
  assert.equal(opened, 1);
  store.close();
  await assert.rejects(store.load(), { code: "not_kept" });
});

test("a failure of another kind stays one", async () => {
  const store = new MemoryStore();
  store.write = () => Promise.reject(new Error("QuotaExceededError: full"));
  const reopened = new ReopenedStore(store, () => assert.fail("opened"));
  await assert.rejects(reopened.write({}), /QuotaExceededError/);
});

test("a database that does not open is done without, and that is told once", async () => {
  const real = globalThis.indexedDB;
  globalThis.indexedDB = { open: () => new EventTarget() } as unknown as IDBFactory;
  const waits: number[] = [];
  const faults: unknown[] = [];
  let told = 0;
  try {
    const client = await openClient({
      device: { name: "Test", platform: "test" },
      servers: ["http://127.0.0.1:1"],
      notKept: () => told++,
      environment: {
        report: (fault) => faults.push(fault),
        timer: (work, ms) => {
          waits.push(ms);
          queueMicrotask(work);
          return () => undefined;
        },
      },
    });
    assert.equal(client.session.value.state, "signed_out");
    assert.deepEqual([told, waits[0], faults.length], [1, 3000, 1]);
    await client.close();
  } finally {
    globalThis.indexedDB = real;
  }
});

test("a database that opens and answers nothing is done without", async () => {
  const load = IndexedDbStore.prototype.load;
  IndexedDbStore.prototype.load = () => new Promise(() => undefined);
  const waits: number[] = [];
  let told = 0;
  try {
    const client = await openClient({
      device: { name: "Test", platform: "test" },
      servers: ["http://127.0.0.1:2"],
      notKept: () => told++,
      environment: {
        report: () => undefined,
        timer: (work, ms) => {
          waits.push(ms);
          const timer = setTimeout(work, 20);
          return () => clearTimeout(timer);
        },
      },
    });
    assert.equal(client.session.value.state, "signed_out");
    assert.equal(told, 1);
    assert.ok(waits.includes(10_000));
    await client.close();
  } finally {
    IndexedDbStore.prototype.load = load;
  }
});
