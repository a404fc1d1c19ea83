import assert from "node:assert/strict";
import { test } from "node:test";
import { enterOf } from "../src/compose/enter.ts";
import { actionOf, neighbour, type Press } from "../src/shell/keys.ts";
import { defaults, prefer, prefs, quiet, readPrefs } from "../src/shell/prefs.ts";
import { patiently } from "../src/shell/patiently.ts";
import { ConfabError } from "@confab/client";
import { foundOf } from "../src/conversation/StrangeRoom.tsx";
import { joinBy } from "../src/rooms/joinBy.ts";
import { blocked, connection, devices_version, invitations, listed, localTime, me, online, people, presence, rooms, serverNow, session, showClient } from "../src/session/state.ts";
import { endOf, forgetAll, forgets } from "../src/session/forget.ts";
import { hashOf, parseRoute, route } from "../src/shell/route.ts";
import { countText, iconOf, totals } from "../src/shell/title.ts";
import { notable, Tray } from "../src/shell/notifying.ts";
import { connectionText } from "../src/shell/ConnectionBar.tsx";
import { enMore } from "../src/text/en-more.ts";
import { addEnglish } from "../src/text/text.ts";
import { deviceName } from "../src/shell/device.ts";
import { Views } from "../src/shell/views.ts";
import { tellBlocks, watchBlocks } from "../src/people/blocks.ts";
import { beginAll } from "../src/shell/beginAll.ts";
import { keep, kept } from "../src/shell/kept.ts";
import { shownOf } from "../src/ui/toast.tsx";

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  writing: false,
  ...more,
});

test("what could not be loaded is tried again, after longer and longer, and then given up", async () => {
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  let failures = 2;
  assert.equal(await patiently(async () => (failures-- > 0 ? Promise.reject(new Error("away")) : "here"), pause), "here");
  assert.deepEqual(pauses, [500, 1000]);
  await assert.rejects(patiently(() => Promise.reject(new Error("away")), pause), /away/);
  assert.deepEqual(pauses.slice(2), [500, 1000, 2000]);
});

test("times of the server are compared by its own clock", () => {
  (connection as { value: unknown }).value = { state: "live", server_ahead_ms: 60_000 };
  try {
    assert.ok(Math.abs(serverNow() - Date.now() - 60_000) < 10_000);
    assert.equal(localTime(100_000), 40_000);
  } finally {
    (connection as { value: unknown }).value = { state: "connecting" };
  }
  assert.equal(localTime(100_000), 100_000);
});

test("a connection that ended says why, in words of the page, and one that never began connects", () => {
  addEnglish(enMore);
  assert.match(connectionText({ state: "stopped", why: "displaced" }, true, 0), /Another sign-in/);
  assert.equal(connectionText({ state: "stopped", why: "closed 4500" }, true, 0), "The connection has ended.");
  assert.equal(connectionText({ state: "stopped" }, true, 0), "Connecting …");
  assert.equal(connectionText({ state: "waiting", why: "lost" }, true, 3), "");
  assert.equal(connectionText({ state: "waiting", why: "lost" }, false, 3), "You are offline.");
});

/** Of a client, what asks a server. */
function answering(ask: () => Promise<unknown>, all = ask): void {
  const known = Object.fromEntries(["session", "connection", "me", "rooms", "listed", "invitations", "people", "presence", "online", "devices_version"].map((name) => [name, { subscribe: () => () => undefined }]));
  const shown = { session, connection, me, rooms, listed, invitations, people, presence, online, devices_version } as Record<string, { value: unknown }>;
  for (const [name, one] of Object.entries(shown)) Object.assign(known[name]!, { value: one.value });
  showClient({ ...known, api: { ask, all } } as never);
}

test("an invitation waits for a network, and is left where it is over", async () => {
  const history = { replaceState: () => undefined };
  Object.assign(globalThis, { history });
  const refusal = (code: "unreachable" | "gone") => () => Promise.reject(new ConfabError({ code, message: "", retryable: code === "unreachable" }));
  try {
    route.value = { name: "invite", code: "c" };
    answering(refusal("unreachable"));
    await joinBy("c");
    assert.deepEqual(route.value, { name: "invite", code: "c" });
    let asked = 0;
    answering(async () => (asked++, { room_id: "r" }));
    await Promise.all([joinBy("c"), joinBy("c")]);
    assert.equal(asked, 1);
    assert.deepEqual(route.value, { name: "room", room: "r" });
    answering(refusal("gone"));
    await joinBy("c");
    assert.deepEqual(route.value, { name: "home" });
  } finally {
    Reflect.deleteProperty(globalThis, "history");
    forgetAll(true);
  }
});

test("whom one blocks in another tab is blocked here, too", async () => {
  const known = { blocks: [] as { account_id: string }[] };
  const read = new Promise<void>((done) => answering(async () => undefined, async () => (done(), known.blocks)));
  const here = watchBlocks();
  const there = new BroadcastChannel("confab-blocks");
  const heard = new Promise((done) => (there.onmessage = done));
  try {
    tellBlocks();
    await heard;
    known.blocks = [{ account_id: "eve" }];
    there.postMessage("changed");
    await read;
    await new Promise(setImmediate);
    assert.deepEqual([...blocked.value], ["eve"]);
  } finally {
    here();
    there.close();
    forgetAll(true);
  }
});

test("a room that is one's own comes by itself, and is not offered to be joined", () => {
  const room = { room_id: "r", type: "channel", name: "Harbour", member_count: 3 };
  assert.deepEqual(foundOf(room as never), { name: "Harbour", count: 3 });
  assert.equal(foundOf({ ...room, role: "member" } as never), "loading");
  assert.equal(foundOf({ ...room, type: "direct", role: "member" } as never), "loading");
  assert.equal(foundOf({ ...room, type: "direct" } as never), "none");
});

test("nothing of an account stays in a tab whose session ended", () => {
  blocked.value = new Set(["somebody"]);
  prefer({ mutedRooms: ["a room"], enterSends: false });
  let forgotten = 0;
  forgets(() => forgotten++);
  forgetAll(true);
  assert.equal(blocked.value.size, 0);
  assert.deepEqual([prefs.value.mutedRooms, prefs.value.enterSends], [[], false], "what is of the browser stays");
  assert.equal(forgotten, 1);
});

test("who is signed out by a sign-in that is over finds again what was chosen, and nobody else does", () => {
  const ada = { state: "signed_in", account_id: "a", device_id: "d", handle: "ada" } as const;
  assert.equal(endOf(undefined, ada), undefined);
  assert.equal(endOf("ada", { state: "signed_out", handle: "ada", why: "revoked" }), "sign-in");
  assert.equal(endOf("ada", ada), undefined, "signed in again");
  assert.equal(endOf("ada", { state: "signed_out" }), "account");
  assert.equal(endOf("ada", { ...ada, account_id: "b", handle: "bob" }), "account");
  assert.equal(endOf(undefined, { state: "signed_out" }), undefined);
  blocked.value = new Set(["somebody"]);
  prefer({ mutedRooms: ["a room"] });
  forgetAll(false);
  assert.deepEqual([blocked.value.size, prefs.value.mutedRooms], [0, ["a room"]]);
  forgetAll(true);
  assert.deepEqual(prefs.value.mutedRooms, []);
});

test("keys do what the list of shortcuts says", () => {
  assert.equal(actionOf(press("k", { ctrlKey: true })), "switcher");
  assert.equal(actionOf(press("K", { metaKey: true, writing: true })), "switcher");
  assert.equal(actionOf(press("?", { shiftKey: true })), "help");
  assert.equal(actionOf(press("/", { ctrlKey: true, writing: true })), "help");
  assert.equal(actionOf(press("ArrowUp", { altKey: true })), "previous");
  assert.equal(actionOf(press("ArrowDown", { altKey: true, shiftKey: true, writing: true })), "nextUnread");
  assert.equal(actionOf(press("Escape", { writing: true })), "escape");
  assert.equal(actionOf(press("F6")), "regions");
  assert.equal(actionOf(press("F6", { shiftKey: true, ctrlKey: true })), "regionsBack");
  assert.equal(actionOf(press("End")), "newest");
});

test("what is being written is not taken for a shortcut", () => {
  assert.equal(actionOf(press("?", { writing: true })), undefined);
  assert.equal(actionOf(press("End", { writing: true })), undefined);
  assert.equal(actionOf(press("k")), undefined);
  assert.equal(actionOf(press("k", { ctrlKey: true, isComposing: true })), undefined);
});

test("Enter sends, or not, as it is chosen; never in a composition", () => {
  assert.equal(enterOf(press("Enter"), true), "send");
  assert.equal(enterOf(press("Enter", { shiftKey: true }), true), "newline");
  assert.equal(enterOf(press("Enter", { isComposing: true }), true), undefined);
  assert.equal(enterOf(press("Enter"), false), "newline");
  assert.equal(enterOf(press("Enter", { ctrlKey: true }), false), "send");
});

test("the next room wraps around, and may be the next unread one", () => {
  const rooms = [
    { room_id: "a", unread: 0 },
    { room_id: "b", unread: 2 },
    { room_id: "c", unread: 0 },
  ];
  assert.equal(neighbour(rooms, "c", 1, false)?.room_id, "a");
  assert.equal(neighbour(rooms, "a", -1, false)?.room_id, "c");
  assert.equal(neighbour(rooms, "c", -1, true)?.room_id, "b");
  assert.equal(neighbour(rooms, "b", 1, true), undefined);
  assert.equal(neighbour(rooms, undefined, 1, false)?.room_id, "a");
  assert.equal(neighbour([], "a", 1, false), undefined);
});

test("addresses lead to rooms, messages and invitations, and back", () => {
  for (const route of [
    { name: "home" },
    { name: "room", room: "r/1?", seq: undefined },
    { name: "room", room: "r", seq: 42 },
    { name: "invite", code: "a b" },
  ] as const)
    assert.deepEqual(parseRoute(hashOf(route)), route);
});

test("an address that nobody wrote leads home", () => {
  for (const hash of ["", "#", "#/x", "#/rooms", "#/rooms/", "#/rooms/%", "#/invite/"]) assert.deepEqual(parseRoute(hash), { name: "home" }, hash);
  assert.deepEqual(parseRoute("#/rooms/r/-1"), { name: "room", room: "r", seq: undefined });
  assert.deepEqual(parseRoute("#/rooms/r/1e99"), { name: "room", room: "r", seq: undefined });
});

test("what was kept of preferences is read as far as it can be", () => {
  const base = defaults(["ar-EG", "en"]);
  assert.equal(base.language, "ar");
  assert.deepEqual(readPrefs("{", base), base);
  assert.deepEqual(readPrefs("null", base), base);
  assert.deepEqual(readPrefs('{"theme":"dark","contrast":"yes","language":"tlh","tone":"x","mutedRooms":["r",1],"x":1}', base), {
    ...base,
    theme: "dark",
    mutedRooms: ["r"],
  });
});

test("quiet hours may pass midnight", () => {
  assert.equal(quiet({ quietFrom: 22, quietTo: 7 }, 23), true);
  assert.equal(quiet({ quietFrom: 22, quietTo: 7 }, 6), true);
  assert.equal(quiet({ quietFrom: 22, quietTo: 7 }, 7), false);
  assert.equal(quiet({ quietFrom: 9, quietTo: 17 }, 12), true);
  assert.equal(quiet({ quietFrom: 0, quietTo: 0 }, 12), false);
});

const room = (id: string, type: string, unread: number, mentions: number) => ({ room: { room_id: id, type }, unread, mentions });

test("title and icon count mentions apart, direct messages among them, and no muted room", () => {
  const rooms = [room("a", "group", 5, 1), room("b", "direct", 2, 0), room("c", "channel", 9, 9)];
  assert.deepEqual(totals(rooms, ["c"]), { unread: 7, mentions: 3 });
  assert.equal(iconOf({ unread: 7, mentions: 3 }), "mentions-3");
  assert.equal(iconOf({ unread: 7, mentions: 12 }), "mentions-more");
  assert.equal(iconOf({ unread: 7, mentions: 0 }), "unread-7");
  assert.equal(iconOf({ unread: 10, mentions: 0 }), "unread-more");
  assert.equal(iconOf({ unread: 0, mentions: 0 }), "none");
  assert.equal(countText({ unread: 7, mentions: 3 }), "(@3 · 7) ");
  assert.equal(countText({ unread: 7, mentions: 0 }), "(7) ");
  assert.equal(countText({ unread: 0, mentions: 0 }), "");
});

test("what is notified is new, of others and wanted", () => {
  const prefs = defaults([]);
  const state = (seq: number, unread: number, mentions: number, sender_id = "bob", type = "group") =>
    ({ room: { room_id: "r", type }, unread, mentions, last_message: { seq, sender_id, body: "x" } }) as never;
  assert.equal(notable(state(1, 0, 0), state(2, 1, 1), "me", prefs, 12), true);
  assert.equal(notable(state(1, 0, 0), state(2, 1, 0), "me", prefs, 12), false);
  assert.equal(notable(state(1, 0, 0), state(2, 1, 0), "me", { ...prefs, notify: "all" }, 12), true);
  assert.equal(notable(state(1, 0, 0, "bob", "direct"), state(2, 1, 0, "bob", "direct"), "me", prefs, 12), true);
  assert.equal(notable(state(1, 0, 0), state(2, 1, 1, "me"), "me", prefs, 12), false);
  assert.equal(notable(state(2, 1, 0), state(2, 2, 1), "me", prefs, 12), false);
  assert.equal(notable(undefined, state(2, 1, 1), "me", prefs, 12), false);
  assert.equal(notable(state(1, 0, 0), state(2, 1, 1), "me", { ...prefs, notify: "none" }, 12), false);
  assert.equal(notable(state(1, 0, 0), state(2, 1, 1), "me", { ...prefs, mutedRooms: ["r"] }, 12), false);
  assert.equal(notable(state(1, 0, 0), state(2, 1, 1), "me", { ...prefs, quietFrom: 11, quietTo: 13 }, 12), false);
});

test("what was notified is taken away once it is read, the room is gone, or nobody is signed in", () => {
  const tray = new Tray();
  let closed: string[] = [];
  const put = (...ids: string[]) => ids.forEach((id) => tray.put(id, 5, () => closed.push(id)));
  const states = new Map([["a", { read_seq: 5 }], ["b", { read_seq: 4 }]]) as never;
  put("a", "b", "c");
  tray.tidy(states, false, false);
  assert.deepEqual(closed, ["a"]);
  tray.tidy(states, true, false);
  assert.deepEqual(closed, ["a", "c"]);
  tray.tidy(states, true, false);
  closed = [];
  tray.tidy(new Map(), false, true);
  assert.deepEqual(closed, ["b"]);
});

test("a device is called by its browser and system", () => {
  assert.equal(deviceName("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"), "Firefox on Linux");
  assert.equal(deviceName("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15"), "Safari on macOS");
  assert.equal(deviceName("?"), "Browser");
});

test("what a tab shows counts until it tells of something else, or of nothing for long", () => {
  const views = new Views();
  views.told("a", "r", 0);
  views.told("b", "s", 0);
  assert.equal(views.some("r", 30_000), true);
  assert.equal(views.some("r", 60_000), false);
  views.told("b", undefined, 1);
  assert.equal(views.some("s", 2), false);
});

test("what fails to begin stops no other", () => {
  const error = console.error;
  console.error = () => undefined;
  const done: string[] = [];
  try {
    const end = beginAll([() => () => done.push("a ended"), () => assert.fail("no BroadcastChannel"), () => void done.push("b begun")]);
    end();
  } finally {
    console.error = error;
  }
  assert.deepEqual(done, ["b begun", "a ended"]);
});

test("a browser that keeps nothing is asked for it in vain", () => {
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get: () => {
      throw new Error("SecurityError");
    },
  });
  try {
    keep("confab.x", "1");
    keep("confab.x", null);
    assert.equal(kept("confab.x"), null);
  } finally {
    Reflect.deleteProperty(globalThis, "localStorage");
  }
});

test("of many notes the oldest go, but none that can be undone by it, nor the newest", () => {
  const note = (id: number, undo = false) => ({ id, text: "x", action: undo ? { label: "Undo", act: () => undefined } : undefined });
  const ids = (...notes: ReturnType<typeof note>[]) => shownOf(notes).map(({ id }) => id);
  assert.deepEqual(ids(note(1), note(2), note(3)), [1, 2, 3]);
  assert.deepEqual(ids(note(1), note(2), note(3), note(4)), [2, 3, 4]);
  assert.deepEqual(ids(note(1, true), note(2), note(3), note(4)), [1, 3, 4]);
  assert.deepEqual(ids(note(1, true), note(2, true), note(3, true), note(4)), [1, 2, 3, 4]);
});
