import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { RoomView } from "@confab/client";
import { Conversation } from "../src/conversation/conversation.ts";
import { decideAll, undoable } from "../src/conversation/undoable.ts";
import { countReaders } from "../src/conversation/readers.ts";
import { LongPress } from "../src/log/LongPress.ts";
import { daysOf, GROUP_MS, type Setting } from "../src/conversation/rows.ts";
import { Seen } from "../src/conversation/seen.ts";
import { find, opened, WINDOW, withLive, withNewer, withOlder, type Run } from "../src/conversation/window.ts";

const at = (day: number, minutes: number) => new Date(2026, 10, day, 12, minutes).getTime();
const said = (seq: number, sender_id: string, ts: number, more: Partial<Setting> = {}): Setting => ({ key: `${sender_id}/${seq}`, seq, sender_id, ts, ...more });
const dayOf = (ts: number) => String(new Date(ts).getDate());

test("messages of one author within five minutes stand together", () => {
  const [day] = daysOf([said(1, "a", 0), said(2, "a", GROUP_MS), said(3, "a", 2 * GROUP_MS + 1), said(4, "b", 2 * GROUP_MS + 2)], undefined, () => "d");
  assert.deepEqual(day!.rows.map((row) => row.first), [true, false, true, true]);
});

test("a deleted message stands alone", () => {
  const [day] = daysOf([said(1, "a", 0), said(2, "a", 1, { deleted_at: 5 }), said(3, "a", 2)], undefined, () => "d");
  assert.deepEqual(day!.rows.map((row) => row.first), [true, true, true]);
});

test("each day has its messages, and a key that stays when older ones join", () => {
  const before = daysOf([said(3, "a", at(3, 0)), said(4, "a", at(4, 0))], undefined, dayOf);
  const after = daysOf([said(1, "b", at(2, 0)), said(2, "b", at(3, 0)), said(3, "a", at(3, 1)), said(4, "a", at(4, 0))], undefined, dayOf);
  assert.deepEqual(before.map((day) => day.key), ["3", "4"]);
  assert.deepEqual(after.map((day) => day.key), ["2", "3", "4"]);
  assert.deepEqual(after.map((day) => day.rows.length), [1, 2, 1]);
});

test("a day that comes twice has two keys", () => {
  const days = daysOf([said(1, "a", at(3, 0)), said(2, "a", at(4, 0)), said(3, "a", at(3, 9))], undefined, dayOf);
  assert.equal(new Set(days.map((day) => day.key)).size, 3);
});

test("the divider stands above the first unread message, once, and begins a group", () => {
  const [day] = daysOf([said(1, "a", 0), said(2, "a", 1), said(3, "a", 2)], 2, () => "d");
  assert.deepEqual(day!.rows.map((row) => row.divider), [false, true, false]);
  assert.deepEqual(day!.rows.map((row) => row.first), [true, true, false]);
});

test("an unconfirmed message has no place before the divider", () => {
  const { seq: _, ...waiting } = said(0, "me", 9);
  const [day] = daysOf([said(1, "a", 0), waiting], 2, () => "d");
  assert.ok(day!.rows.every((row) => !row.divider));
});

const run = (from: number, to: number, more: Partial<Run<{ seq: number }>> = {}): Run<{ seq: number }> => ({
  messages: Array.from({ length: to - from + 1 }, (_, i) => ({ seq: from + i })),
  hasOlder: true,
  hasNewer: false,
  ...more,
});
const seqs = (one: Run<{ seq: number }>) => one.messages.map((m) => m.seq);
const unbroken = (one: Run<{ seq: number }>) => seqs(one).every((seq, i, all) => i === 0 || seq === all[i - 1]! + 1);

test("the window never holds more than 400 messages, whatever comes and goes", () => {
  let state = 12345;
  const random = (n: number) => (state = (state * 1103515245 + 12345) & 0x7fffffff) % n;
  for (let history = 0; history < 300; history++) {
    let newest = 1000 + random(3000);
    let now = opened({ messages: run(newest - 50, newest).messages, has_older: true, has_newer: false });
    for (let step = 0; step < 60; step++) {
      const first = now.messages[0]!.seq;
      const last = now.messages.at(-1)!.seq;
      const kind = random(4);
      if (kind === 0 && now.hasOlder) {
        const from = Math.max(1, first - 100);
        now = withOlder(now, { messages: run(from, first - 1).messages, has_older: from > 1, has_newer: true });
      } else if (kind === 1 && now.hasNewer) {
        const to = Math.min(newest, last + 100);
        now = withNewer(now, { messages: run(last + 1, to).messages, has_older: true, has_newer: to < newest });
      } else {
        newest++;
        now = withLive(now, [{ seq: newest }], random(2) === 0);
      }
      assert.ok(now.messages.length <= WINDOW);
      assert.ok(unbroken(now), "no hole, no repeat, in order");
      if (!now.hasNewer) assert.equal(now.messages.at(-1)!.seq, newest);
    }
  }
});

test("who reads at the top keeps it: what comes stays outside", () => {
  const full = run(1, WINDOW);
  const now = withLive(full, [{ seq: WINDOW + 1 }], true);
  assert.equal(now.messages[0]!.seq, 1);
  assert.equal(now.hasNewer, true);
});

test("who follows the end lets go of the top", () => {
  const now = withLive(run(1, WINDOW), [{ seq: WINDOW + 1 }], false);
  assert.equal(now.messages.at(-1)!.seq, WINDOW + 1);
  assert.equal(now.hasOlder, true);
});

test("a message takes its place by its number, also a late one", () => {
  assert.deepEqual(seqs(withLive(run(1, 3), [{ seq: 6 }, { seq: 4 }, { seq: 5 }], false)), [1, 2, 3, 4, 5, 6]);
});

test("what is acknowledged before earlier ones came stands below them, in a room that had none", () => {
  const none = opened<{ seq: number }>({ messages: [], has_older: false, has_newer: false });
  const now = withLive(none, [{ seq: 4 }], false);
  assert.deepEqual(seqs(withLive(now, [{ seq: 2 }, { seq: 1 }, { seq: 3 }, { seq: 4 }], false)), [1, 2, 3, 4]);
  assert.deepEqual(seqs(withLive({ ...now, hasOlder: true }, [{ seq: 3 }], false)), [4], "what is to be read comes with its page");
});

test("a change of a message replaces it, and one outside changes nothing", () => {
  const changed = { seq: 2, body: "new" };
  const now = withLive<{ seq: number; body?: string }>(run(2, 4), [changed], false);
  assert.equal(now.messages[0], changed);
  const same = run(2, 4, { hasNewer: true });
  assert.equal(withLive(same, [{ seq: 1 }, { seq: 9 }], false), same);
});

test("a message is found by its number", () => {
  assert.equal(find(run(5, 9).messages, 7), 2);
  assert.equal(find(run(5, 9).messages, 4), ~0);
  assert.equal(find(run(5, 9).messages, 10), ~5);
});

test("what was on the screen is read, as far as nothing lies between", () => {
  const seen = new Seen(10);
  assert.equal(seen.shows(8, 14), 14);
  assert.equal(seen.shows(9, 15), 15);
  assert.equal(seen.shows(9, 15), undefined);
});

test("a jump to the newest leaves what lies between unread", () => {
  const seen = new Seen(10);
  seen.jumped();
  assert.equal(seen.shows(90, 100), undefined);
  assert.equal(seen.read, 10);
});

test("what was scrolled past is read, however fast", () => {
  const seen = new Seen(10);
  assert.equal(seen.shows(8, 14), 14);
  assert.equal(seen.shows(40, 50), 50);
});

test("scrolling up reads nothing, and marking unread takes back", () => {
  const seen = new Seen(10);
  assert.equal(seen.shows(1, 5), undefined);
  seen.unreadFrom(4);
  assert.equal(seen.read, 3);
  seen.readElsewhere(20);
  assert.equal(seen.shows(18, 22), 22);
});

/** A room of the client, as far as a conversation looks at it. */
function fakeView(parts: Partial<Record<keyof RoomView, unknown>>): RoomView {
  const still = (value: unknown) => ({ value, subscribe: () => () => undefined });
  const empty = { state: undefined, pending: [], receipts: {}, markers: new Map(), members: undefined, edits: new Map(), log: { messages: [] } };
  const all = Object.fromEntries(Object.entries({ ...empty, ...parts }).map(([name, value]) => [name, still(value)]));
  return { room_id: "r", updates: () => () => undefined, release: () => undefined, ...all } as unknown as RoomView;
}

const message = (seq: number, sender_id: string, body = `m${seq}`) => ({ seq, sender_id, client_id: `c${seq}`, ts: seq, body });
const conversation = (parts: Partial<Record<keyof RoomView, unknown>>) => new Conversation(fakeView(parts), "me", { onSaid: () => undefined, onRemoved: () => undefined });

/** A conversation whose pages are answered by the test, and that is told what happens in its room. */
function told(page: () => Promise<unknown>) {
  let update = (_update: unknown) => {};
  const view = fakeView({});
  Object.assign(view, { history: page, updates: (listener: typeof update) => ((update = listener), () => undefined) });
  const c = new Conversation(view, "me", { onSaid: () => undefined, onRemoved: () => undefined });
  return { c, update: (one: unknown) => update(one) };
}

test("a room that begins anew while nothing is in the page is in it then", async () => {
  const { c, update } = told(async () => ({ messages: [], has_older: false, has_newer: false }));
  await c.open();
  assert.deepEqual(seqs(c.run.value), []);
  update({ kind: "reset", room_id: "r", gap: true, messages: [message(1, "bob"), message(2, "bob")] });
  update({ kind: "said", message: message(3, "bob") });
  assert.deepEqual([seqs(c.run.value), c.run.value.hasOlder], [[1, 2, 3], false]);
});

test("what comes after a page could not be read does not look like the beginning of the room", async () => {
  const { c, update } = told(() => Promise.reject(new Error("lost")));
  await c.open();
  update({ kind: "said", message: message(7, "bob") });
  assert.deepEqual([seqs(c.run.value), c.run.value.hasOlder], [[7], true]);
});

test("the last own message is the room's, wherever one reads, with an edit that is under way", () => {
  const log = { messages: [message(90, "me"), message(91, "me"), message(92, "bob")] };
  const edits = new Map([[90, { seq: 90, body: "edited" }], [91, { seq: 91 }]]);
  const c = conversation({ log, edits });
  c.run.value = { messages: [{ ...message(1, "me"), key: "me/c1" }], hasOlder: false, hasNewer: true };
  assert.deepEqual([c.lastOwn()?.seq, c.lastOwn()?.body], [90, "edited"]);
  c.run.value = { ...c.run.value, hasNewer: false };
  assert.equal(c.lastOwn()?.seq, 1);
});

test("who read before the page was opened counts once with those who are told of since", () => {
  const c = conversation({ markers: new Map([["bob", { account_id: "bob", read_seq: 7 }], ["cid", { account_id: "cid", read_seq: 3 }]]) });
  assert.equal(countReaders(c, 5, "me"), 1);
  c.readers.value = { seq: 5, ids: new Set(["ada", "bob", "me"]) };
  assert.equal(countReaders(c, 5, "me"), 2);
  assert.equal(countReaders(c, 6, "me"), 1);
});

test("what comes while nothing could be read does not stand for the room", async () => {
  let update = (_update: unknown) => {};
  let answer = (): Promise<unknown> => Promise.reject(new Error("away"));
  const asked: unknown[] = [];
  const view = fakeView({ pending: [{ client_id: "w", made_at: 9, body: "x", state: "waiting" }] });
  Object.assign(view, {
    updates: (listener: typeof update) => ((update = listener), () => undefined),
    history: (query: unknown) => (asked.push(query), answer()),
  });
  const c = new Conversation(view, "me", { onSaid: () => undefined, onRemoved: () => undefined });
  const shown = () => c.days.value.flatMap((day) => day.rows.map((row) => row.message.client_id));
  await c.open({ seq: 2, flash: true });
  assert.deepEqual(shown(), ["w"]);
  update({ kind: "said", message: message(3, "bob") });
  assert.deepEqual(shown(), ["c3", "w"]);
  assert.equal(c.run.value.hasOlder, true);
  answer = async () => ({ messages: [1, 2, 3].map((seq) => message(seq, "bob")), has_older: true, has_newer: false });
  await c.retry();
  assert.deepEqual(shown(), ["c1", "c2", "c3", "w"]);
  assert.equal(c.run.value.hasOlder, true);
  assert.deepEqual(asked[1], asked[0], "in the same place");
  await c.retry();
  assert.equal(asked.length, 2);
  c.end();
});

test("what is kept stands in for a page that is late, and who reads in it stays there", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    let answer = (_page: unknown) => {};
    const view = fakeView({});
    const log = { value: { messages: [] as unknown[], has_older: true }, subscribe: () => () => undefined };
    Object.assign(view, { log, history: () => new Promise((done) => (answer = done)) });
    const c = new Conversation(view, "me", { onSaid: () => undefined, onRemoved: () => undefined });
    const opened = c.open();
    log.value = { messages: [8, 9].map((seq) => message(seq, "bob")), has_older: true };
    mock.timers.tick(2999);
    assert.deepEqual([seqs(c.run.value), c.opening.value], [[], true]);
    mock.timers.tick(1);
    assert.deepEqual([seqs(c.run.value), c.opening.value, c.goal.value], [[8, 9], false, { kind: "end" }]);
    c.goalReached();
    c.looked({ first: 8, last: 8, end: false, dividerAbove: false }, true);
    answer({ messages: [7, 8, 9, 10].map((seq) => message(seq, "bob")), has_older: true, has_newer: false });
    await opened;
    assert.deepEqual(seqs(c.run.value), [7, 8, 9, 10]);
    assert.deepEqual(c.goal.value, { kind: "message", seq: 8, flash: false });
  } finally {
    mock.timers.reset();
  }
});

test("what passes while nobody looks stays unread, and the way to it is shown", async () => {
  const state = { room: { seq: 2 }, read_seq: 2, unread: 0 };
  const view = fakeView({ state });
  const reads: number[] = [];
  Object.assign(view, {
    history: async () => ({ messages: Array.from({ length: 50 }, (_, i) => message(i + 1, "bob")), has_older: false, has_newer: false }),
    read: (seq: number) => reads.push(seq),
  });
  const c = new Conversation(view, "me", { onSaid: () => undefined, onRemoved: () => undefined });
  await c.open();
  c.goalReached();
  const look = (first: number, last: number, looking: boolean) => c.looked({ first, last, end: true, dividerAbove: false }, looking);
  look(1, 2, true);
  for (let last = 3; last <= 5; last++) look(last - 1, last, false);
  look(2, 5, true);
  assert.deepEqual([reads, c.news.value], [[5], undefined], "all of it is on the screen");
  for (let last = 6; last <= 50; last++) look(Math.max(1, last - 9), last, false);
  Object.assign(state, { read_seq: 5, unread: 45 });
  look(41, 50, true);
  assert.deepEqual(reads, [5]);
  assert.deepEqual(c.news.value, { seq: 6, count: 45, since: 6 });
  look(1, 10, true);
  look(20, 30, true);
  assert.deepEqual(reads, [5, 10, 30], "it is read as one goes through it");
});

test("what can be undone is done in time, once, and before somebody signs out", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  Object.assign(globalThis, { window: { addEventListener: () => undefined, removeEventListener: () => undefined } });
  try {
    const told: string[] = [];
    const does = (name: string, done = Promise.resolve()) => undoable((really) => (told.push(`${name} ${really}`), done), 5000);
    const undo = does("a");
    undo();
    does("b");
    mock.timers.tick(5000);
    assert.deepEqual(told, ["a false", "b true"]);
    const late = does("c");
    assert.equal(await decideAll(9), true);
    late();
    mock.timers.tick(5000);
    assert.deepEqual(told.slice(2), ["c true"]);
    does("d", new Promise(() => {}));
    const all = decideAll(9);
    mock.timers.tick(9);
    assert.equal(await all, false, "no server has answered");
    assert.equal(await decideAll(9), true, "nothing is left");
  } finally {
    Reflect.deleteProperty(globalThis, "window");
    mock.timers.reset();
  }
});

test("a finger that stays is a long press, one that moves or leaves is none", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    let pressed = 0;
    let prevented = 0;
    const press = new LongPress(() => (pressed++, true));
    const touch = (clientX = 0) => ({ pointerType: "touch", isPrimary: true, clientX, clientY: 0, target: null, preventDefault: () => prevented++, stopPropagation: () => undefined }) as never;
    press.down(touch());
    press.move(touch(9));
    mock.timers.tick(499);
    assert.equal(pressed, 0);
    mock.timers.tick(1);
    assert.equal(pressed, 1);
    press.context(touch());
    press.click(touch());
    assert.deepEqual([pressed, prevented], [1, 2], "what the browser makes of it is that press");
    press.click(touch());
    assert.equal(prevented, 2);
    press.down(touch());
    press.move(touch(11));
    mock.timers.tick(1000);
    press.down(touch());
    press.end();
    mock.timers.tick(1000);
    assert.equal(pressed, 1);
    press.down(touch());
    press.context(touch());
    assert.equal(pressed, 2, "where the browser is sooner, once");
    mock.timers.tick(1000);
    assert.equal(pressed, 2);
  } finally {
    mock.timers.reset();
  }
});

test("what is stored takes the place of what waited in one step, many of them in few", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    let pending: unknown[] = [];
    let wait = (_next: unknown) => {};
    let update = (_update: unknown) => {};
    const view = fakeView({});
    Object.assign(view, {
      pending: { get value() { return pending; }, subscribe: (listener: typeof wait) => ((wait = listener), () => undefined) },
      updates: (listener: typeof update) => ((update = listener), () => undefined),
    });
    const c = new Conversation(view, "me", { onSaid: () => undefined, onRemoved: () => undefined });
    c.opening.value = false;
    c.run.value = { messages: [{ ...message(1, "bob"), key: "bob/c1" }], hasOlder: false, hasNewer: false };
    const set = (next: unknown[]) => wait((pending = next));
    const shown = () => c.days.value.flatMap((day) => day.rows.map((row) => `${row.message.client_id}${row.message.seq === undefined ? "?" : ""}`));
    const send = (seq: number) => ({ client_id: `c${seq}`, made_at: seq, body: "x", state: "waiting" });
    const store = async (seq: number) => {
      set(pending.slice(1));
      update({ kind: "stored", message: message(seq, "me") });
      await Promise.resolve();
    };
    set([send(2), send(3), send(4)]);
    assert.deepEqual(shown(), ["c1", "c2?", "c3?", "c4?"]);
    await store(2);
    assert.deepEqual(shown(), ["c1", "c2", "c3?", "c4?"], "the first at once");
    await store(3);
    await store(4);
    assert.deepEqual(shown(), ["c1", "c2", "c3?", "c4?"], "nothing vanishes meanwhile");
    mock.timers.tick(60);
    assert.deepEqual(shown(), ["c1", "c2", "c3", "c4"]);
    set(Array.from({ length: 1000 }, (_, i) => ({ ...send(i + 5), state: i === 0 ? "failed" : "waiting" })));
    assert.equal(shown().length, 4 + 1 + 150);
    set([]);
    await Promise.resolve();
    mock.timers.tick(60);
    assert.deepEqual(shown(), ["c1", "c2", "c3", "c4"], "what is discarded goes");
  } finally {
    mock.timers.reset();
  }
});
