import assert from "node:assert/strict";
import { test } from "node:test";
import type { Change } from "../../src/model/change.ts";
import { Model } from "../../src/model/model.ts";
import type { RoomUpdate } from "../../src/model/views.ts";
import type { ListedRoom, Message } from "../../src/protocol/things.ts";
import type { Update } from "../../src/rules/output.ts";

function message(seq: number, more: Partial<Message> & { body?: string } = {}): Message {
  const plain = { room_id: "r", seq, rev: seq + 1, sender_id: "bob", client_id: `c${seq}`, msg_type: "text", body: `m${seq}`, ts: seq };
  return { ...plain, ...more } as Message;
}

function listed(seq: number, more: Partial<ListedRoom> = {}): ListedRoom {
  const room = { room_id: "r", type: "group", name: "Tea", history: "all", member_count: 2, receipts: true, epoch: 1 };
  return { ...room, role: "member", seq, rev: seq + 1, read_seq: 0, unread: seq, mentions: 0, ...more } as ListedRoom;
}

const said = (each: Message): Change => ({ kind: "update", update: { kind: "said", message: each } });
const event = (rev: number, more: object): Change => ({
  kind: "update",
  update: { kind: "event", event: { type: "room.event", room_id: "r", rev, epoch: 1, actor_id: "bob", ts: 1, ...more } as never },
});

function model(...changes: Change[]): Model {
  const made = new Model();
  const session = { state: "signed_in", account_id: "ada", device_id: "d", handle: "ada" } as const;
  made.apply([{ kind: "session", session }, ...changes]);
  return made;
}

const bodies = (of: Model): string[] => of.room("r").log.value.messages.map((each) => ("body" in each ? each.body : "†"));
const nameOf = (room: object): unknown => (room as { name?: string }).name;
const state = (of: Model) => of.rooms.value.get("r")!;

test("the map of rooms is another one when a room changed, and rooms that did not stay the same", () => {
  const it = model({ kind: "listed", rooms: [listed(0), listed(0, { room_id: "s" })] });
  const before = it.rooms.value;
  let told = 0;
  it.rooms.subscribe(() => told++);
  it.apply([said(message(1)), said(message(2))]);
  assert.equal(told, 1);
  assert.notEqual(it.rooms.value, before);
  assert.equal(it.rooms.value.get("s"), before.get("s"));
  assert.notEqual(it.rooms.value.get("r"), before.get("r"));
});

test("a list that comes late is no step back", () => {
  const it = model({ kind: "listed", rooms: [listed(1)] }, said(message(2)), event(4, { kind: "room.changed", settings: { name: "Coffee" } }));
  it.apply([{ kind: "listed", rooms: [listed(1)] }]);
  assert.equal(state(it).unread, 2);
  assert.equal(state(it).last_message?.seq, 2);
  assert.equal(nameOf(state(it).room), "Coffee");
  assert.equal(state(it).room.seq, 2);
});

test("what a list counts already is not counted again when it comes", () => {
  const it = model({ kind: "listed", rooms: [listed(10)] }, said(message(9)), said(message(10)));
  assert.equal(state(it).unread, 10);
  it.apply([said(message(11)), said(message(12, { sender_id: "ada" }))]);
  assert.equal(state(it).unread, 11);
});

test("a log that is behind does not say what is unread", () => {
  const it = model({ kind: "listed", rooms: [listed(0)] }, said(message(1)), said(message(2)));
  it.apply([{ kind: "listed", rooms: [listed(50)] }]);
  assert.equal(state(it).unread, 50);
  it.apply([said(message(3))]);
  assert.equal(state(it).unread, 50, "it is among the fifty");
});

const count = (unread: number, seq: number): Change => ({ kind: "signal", signal: { kind: "unread", room_id: "r", unread, mentions: 0, total: unread, seq } });

test("a count adds what came behind it, and has what comes later up to there", () => {
  const it = model({ kind: "listed", rooms: [listed(50)] }, said(message(51)), count(20, 50));
  assert.equal(state(it).unread, 21, "51 is not among the twenty");
  it.apply([count(5, 53), said(message(52)), said(message(53))]);
  assert.equal(state(it).unread, 5, "both are among the five");
  it.apply([said(message(54))]);
  assert.equal(state(it).unread, 6);
});

test("a deleted message is no longer unread, and mentions count apart", () => {
  const it = model({ kind: "listed", rooms: [listed(0)] }, said(message(1, { mentions: ["ada"] })), said(message(2, { mentions: ["cleo"] })));
  assert.deepEqual([state(it).unread, state(it).mentions], [2, 1]);
  const deleted = { type: "room.event", kind: "message.deleted", room_id: "r", rev: 9, epoch: 1, actor_id: "bob", ts: 1, seq: 1, deleted_by: "bob" };
  it.apply([{ kind: "update", update: { kind: "deleted", event: deleted } as Update }]);
  assert.deepEqual([state(it).unread, state(it).mentions], [1, 0]);
  assert.deepEqual(bodies(it), ["†", "m2"]);
});

test("marked unread counts from there until that is read", () => {
  const it = model({ kind: "listed", rooms: [listed(0)] }, ...[1, 2, 3].map((seq) => said(message(seq))), { kind: "read", room_id: "r", seq: 3 });
  assert.equal(state(it).unread, 0);
  it.apply([{ kind: "signal", signal: { kind: "marker", room_id: "r", account_id: "ada", read_seq: 3, unread_from: 2 } }]);
  assert.deepEqual([state(it).unread, state(it).unread_from], [2, 2]);
  it.apply([{ kind: "read", room_id: "r", seq: 3 }]);
  assert.deepEqual([state(it).unread, state(it).unread_from], [0, undefined]);
});

test("an older copy never takes the place of a newer one", () => {
  const it = model(said(message(1)));
  const edited = (changed_rev: number): Change => ({
    kind: "update",
    update: { kind: "edited", message: message(1, { body: `at ${changed_rev}`, changed_rev }) },
  });
  it.apply([edited(5), edited(4), said(message(1))]);
  assert.deepEqual(bodies(it), ["at 5"]);
});

test("a page joins where there is no hole, and only there", () => {
  const page = (...seqs: number[]): Change => ({
    kind: "page",
    room_id: "r",
    page: { messages: seqs.map((seq) => message(seq)), has_older: seqs[0] !== 1, has_newer: false },
  });
  const it = model({ kind: "listed", rooms: [listed(20)] }, page(11, 12, 13));
  assert.deepEqual(bodies(it), [], "it does not reach to the newest");
  it.apply([page(18, 19, 20)]);
  it.apply([page(11, 12)]);
  assert.equal(bodies(it).length, 3);
  it.apply([page(15, 16, 17), said(message(21))]);
  assert.deepEqual(bodies(it), ["m15", "m16", "m17", "m18", "m19", "m20", "m21"]);
  assert.equal(it.room("r").log.value.has_older, true);
  it.apply([page(...Array.from({ length: 14 }, (_, at) => at + 1))]);
  assert.equal(bodies(it).length, 21);
  assert.equal(it.room("r").log.value.has_older, false);
});

test("a log has a bound, and a lower one where nobody looked", () => {
  const it = model();
  for (let seq = 1; seq <= 1_000; seq++) it.apply([said(message(seq))]);
  const unseen = it.room("r").log.value;
  assert.ok(unseen.messages.length <= 60);
  assert.deepEqual([unseen.messages.at(-1)?.seq, unseen.has_older], [1_000, true]);
  it.room("r").most = 400;
  for (let seq = 1_001; seq <= 2_000; seq++) it.apply([said(message(seq))]);
  const { length } = it.room("r").log.value.messages;
  assert.ok(length > 200 && length <= 400, String(length));
});

test("an acknowledged message takes its place before earlier ones come, and its own copy takes it over", () => {
  const send = { client_id: "x", room_id: "r", body: "mine", made_at: 1, state: "waiting" } as const;
  const it = model(said(message(1)), { kind: "pending", send });
  const kinds: string[] = [];
  it.room("r").listen((update) => kinds.push(update.kind));
  it.apply([{ kind: "stored", stored: { kind: "stored", room_id: "r", client_id: "x", seq: 3, rev: 4, ts: 3 } }]);
  assert.deepEqual(bodies(it), ["m1", "mine"]);
  assert.equal(it.room("r").log.value.messages[1]?.provisional, true);
  it.apply([said(message(2)), said(message(3, { sender_id: "ada", client_id: "x", body: "mine" }))]);
  assert.deepEqual(bodies(it), ["m1", "m2", "mine"]);
  assert.equal(it.room("r").log.value.messages[2]?.provisional, undefined);
  assert.deepEqual(kinds, ["stored", "said", "said"]);
});

test("settings, members and roles follow the events that come after what is known", () => {
  const it = model({ kind: "listed", rooms: [listed(5, { rev: 10, slow_mode_s: 5 })] });
  const room = () => state(it).room;
  it.apply([event(9, { kind: "member.joined", account_id: "x" })]);
  assert.equal(room().member_count, 2, "the list has it");
  it.apply([event(11, { kind: "member.joined", account_id: "x", receipts: false })]);
  assert.deepEqual([room().member_count, room().receipts], [3, false]);
  it.apply([event(12, { kind: "members", rev_from: 12, joined: 5, left: 2 }), event(13, { kind: "member.role", account_id: "ada", role: "admin" })]);
  assert.deepEqual([room().member_count, room().role], [6, "admin"]);
  it.apply([event(14, { kind: "room.changed", settings: { name: "New", slow_mode_s: 0 } }), event(15, { kind: "room.archived" })]);
  assert.deepEqual([nameOf(room()), room().slow_mode_s, room().archived_at], ["New", undefined, 1]);
});

test("sealed messages are counted, and the log ends before them", () => {
  const encryption = { suite: "olm1", from_seq: 3, from_rev: 4 };
  const it = model({ kind: "listed", rooms: [listed(2, { rev: 3, read_seq: 2, unread: 0 })] });
  it.apply([event(4, { kind: "room.changed", settings: { encryption } })]);
  assert.deepEqual(state(it).room.encryption, encryption);
  it.apply([event(5, { kind: "sealed", seq: 3 }), event(6, { kind: "sealed", seq: 4, actor_id: "ada" }), event(7, { kind: "sealed", seq: 5 })]);
  assert.deepEqual([state(it).room.seq, state(it).unread], [5, 2], "one of them is the account's own");
  it.apply([{ kind: "page", room_id: "r", page: { messages: [message(1), message(2)], has_older: false, has_newer: false } }]);
  assert.deepEqual(bodies(it), ["m1", "m2"]);
  assert.equal(state(it).unread, 2, "what no page has stays unread");
  it.apply([{ kind: "read", room_id: "r", seq: 5 }]);
  assert.equal(state(it).unread, 0);
});

test("a room that was sealed from its beginning has an empty log", () => {
  const it = model({ kind: "listed", rooms: [listed(4, { encryption: { suite: "olm1", from_seq: 1, from_rev: 1 } })] });
  it.apply([{ kind: "page", room_id: "r", page: { messages: [], has_older: false, has_newer: false } }]);
  assert.deepEqual(it.room("r").log.value, { messages: [], has_older: false, generation: 0 });
});

test("what another tab knows is taken over, and what is new in it is told", () => {
  const base: Change[] = [{ kind: "listed", rooms: [listed(0)] }, said(message(1)), said(message(2))];
  const [here, there] = [model(...base), model(...base)];
  const told: RoomUpdate[] = [];
  here.room("r").listen((update) => told.push(update));
  there.apply([said(message(3)), { kind: "update", update: { kind: "edited", message: message(1, { body: "M1", changed_rev: 9 }) } }]);
  here.load(structuredClone(there.snapshot()));
  assert.deepEqual(bodies(here), ["M1", "m2", "m3"]);
  assert.deepEqual(told.map((update) => update.kind).sort(), ["edited", "said"]);
  assert.equal(state(here).unread, 3);
  assert.deepEqual(here.snapshot(), there.snapshot());
  told.length = 0;
  here.load(structuredClone(there.snapshot()));
  assert.deepEqual(told, []);
});

test("a log that does not follow on what is known begins anew", () => {
  const here = model({ kind: "listed", rooms: [listed(0)] }, said(message(1)));
  const there = model({ kind: "listed", rooms: [listed(20)] }, { kind: "positions", positions: [{ room_id: "r", epoch: 1, seq: 20, rev: 21 }] }, said(message(21)));
  const told: RoomUpdate[] = [];
  here.room("r").listen((update) => told.push(update));
  here.load(there.snapshot());
  assert.deepEqual(told.map((update) => update.kind === "reset" && update.gap), [true]);
  assert.deepEqual(bodies(here), ["m21"]);
});

test("events of kinds that this version does not know change nothing", () => {
  const it = model({ kind: "listed", rooms: [listed(0)] });
  it.apply([event(5, { kind: "room.painted", colour: "red" })]);
  assert.equal(state(it).room.member_count, 2);
});

test("a seat stays with the room, whatever else is told of it, until it is lost", () => {
  const it = model({ kind: "listed", rooms: [listed(1)] });
  const inside = { kind: "seat_inside", room_id: "r", inside: 1, capacity: 2 } as const;
  it.apply([{ kind: "signal", signal: inside }, said(message(2)), { kind: "listed", rooms: [listed(2)] }]);
  assert.deepEqual(state(it).seat, inside);
  const other = model();
  other.load(it.snapshot());
  assert.deepEqual(state(other).seat, inside);
  it.apply([{ kind: "signal", signal: { kind: "seat_lost", room_id: "r", reason: "expired" } }]);
  assert.equal(state(it).seat, undefined);
  assert.deepEqual(state(it).no_seat, { reason: "expired" });
  const error = { code: "banned", message: "no", retryable: false } as const;
  it.apply([{ kind: "signal", signal: { kind: "not_entered", room_id: "r", error } }]);
  assert.deepEqual(state(it).no_seat, { error });
  it.apply([{ kind: "signal", signal: inside }]);
  assert.deepEqual([state(it).seat, state(it).no_seat], [inside, undefined]);
});
