import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStore } from "../../src/store/memory.ts";
import { NO_STORE } from "../../src/store/store.ts";
import { Profile } from "../support/platform.ts";
import { bodies, World } from "../support/world.ts";

/** Ada with three tabs, and Bob. */
async function tabs() {
  const world = new World();
  const ada = await world.person("ada");
  const bob = await world.person("bob");
  world.server.room("r", ada.account_id, bob.account_id);
  await world.signIn(ada.client, "ada");
  await world.signIn(bob.client, "bob");
  const second = await world.tab(ada.profile, ada.store);
  const third = await world.tab(ada.profile, ada.store);
  const sockets = (): number => [...world.server.sessions].filter((each) => each.account_id === ada.account_id).length;
  return { world, ada, bob, second, third, sockets, clock: world.clock, server: world.server };
}

test("tabs share a sign-in, a device and a socket, and show the same at once", async () => {
  const { world, ada, bob, second, third, sockets, clock, server } = await tabs();
  assert.equal(sockets(), 1);
  assert.deepEqual([ada, second, third].map((each) => each.isLeader()), [true, false, false]);
  assert.equal(second.client.session.value.state, "signed_in");
  assert.equal(second.client.connection.value.state, "live");
  assert.ok(second.client.rooms.value.has("r"));
  server.say("r", bob.account_id, "hello");
  await clock.until(() => bodies(third.client, "r").length === 1, "a follower has it");
  assert.equal(third.client.rooms.value.get("r")?.unread, 1);
  second.client.room("r").read(1);
  await clock.until(() => ada.client.rooms.value.get("r")?.unread === 0, "read in all tabs");
  assert.equal(third.client.rooms.value.get("r")?.unread, 0);
  await clock.until(() => server.rooms.get("r")!.read.get(ada.account_id) === 1, "the server is told");
  const calls = server.calls.filter((call) => call === "refreshTokens").length;
  await world.done(third.client.api.ask("readMe", {}));
  assert.equal(server.calls.filter((call) => call === "refreshTokens").length, calls, "the token is shared");
  assert.deepEqual(world.faults, []);
});

test("a follower's message is shown at once there, and then everywhere", async () => {
  const { ada, bob, second, third, clock } = await tabs();
  const send = second.client.room("r").send("from the second");
  assert.equal(second.client.room("r").pending.value.length, 1);
  await clock.until(() => bodies(bob.client, "r").length === 1, "it is said");
  for (const { client } of [ada, second, third]) {
    await clock.until(() => bodies(client, "r").length === 1, "each tab has it");
    assert.deepEqual(client.room("r").pending.value, []);
    assert.equal(client.room("r").log.value.messages[0]?.client_id, send.client_id);
  }
});

test("drafts go from tab to tab, and never back into the one that writes", async () => {
  const { ada, second, clock } = await tabs();
  second.client.room("r").setDraft("a");
  second.client.room("r").setDraft("ab");
  assert.equal(second.client.rooms.value.get("r")?.draft, "ab");
  await clock.until(() => ada.client.rooms.value.get("r")?.draft === "ab", "the other tab has it");
  assert.equal(second.client.rooms.value.get("r")?.draft, "ab");
});

test("edits are shown and settled in all tabs, and refused where they were made", async () => {
  const { world, ada, bob, second, clock, server } = await tabs();
  server.say("r", bob.account_id, "not mine");
  await clock.until(() => bodies(second.client, "r").length === 1, "it came");
  await assert.rejects(world.done(second.client.room("r").edit(1, "x")), { code: "forbidden" });
  await clock.pass(10);
  assert.equal(second.client.room("r").edits.value.size, 0);
  assert.equal(ada.client.room("r").edits.value.size, 0);
});

test("when the leader is killed another one takes over without a gap", async () => {
  const { world, ada, bob, second, third, sockets, clock, server } = await tabs();
  server.say("r", bob.account_id, "1");
  await clock.until(() => bodies(second.client, "r").length === 1, "it came");
  const said: number[] = [];
  third.client.room("r").updates((update) => update.kind === "said" && said.push(update.message.seq));
  world.kill(ada.profile, ada.tab);
  server.say("r", bob.account_id, "2");
  third.client.room("r").send("3");
  await clock.until(() => second.isLeader() || third.isLeader(), "another one leads");
  await clock.until(() => bodies(third.client, "r").length === 3, "all is there");
  await clock.until(() => bodies(second.client, "r").length === 3, "everywhere");
  assert.deepEqual(bodies(second.client, "r"), ["1", "2", "3"]);
  assert.deepEqual(bodies(third.client, "r"), ["1", "2", "3"]);
  assert.deepEqual(said, [2, 3], "each is told once");
  assert.equal(sockets(), 1);
  assert.deepEqual(world.faults, []);
});

test("a leader that leaves hands over at once", async () => {
  const { world, ada, bob, second, third, sockets, clock, server } = await tabs();
  await world.done(ada.client.close());
  await clock.until(() => [second, third].some((each) => each.isLeader() && each.client.connection.value.state === "live"), "live");
  server.say("r", bob.account_id, "hello");
  await clock.until(() => bodies(second.client, "r").length === 1 && bodies(third.client, "r").length === 1, "both hear it");
  assert.equal(sockets(), 1);
});

test("what the killed leader had taken and not sent is sent by the next", async () => {
  const { world, ada, second, third, clock, server } = await tabs();
  server.away = true;
  server.cutAll();
  await clock.until(() => second.client.connection.value.state === "waiting", "it waits");
  const sends = [ada, second, third].map(({ client }, at) => client.room("r").send(`m${at}`));
  await clock.pass(1_000);
  world.kill(ada.profile, ada.tab);
  await clock.pass(1_000);
  server.away = false;
  second.client.connect();
  await clock.until(() => server.rooms.get("r")!.messages.length === 3, "all are sent");
  await clock.pass(1_000);
  assert.deepEqual(server.rooms.get("r")!.messages.map((each) => each.client_id), sends.map((each) => each.client_id));
  assert.deepEqual(second.client.room("r").pending.value, []);
  assert.deepEqual((await ada.store.load()).sends, []);
});

test("what all tabs watch is watched, until the tab is closed; the most present one counts", async () => {
  const { world, ada, bob, second, third, clock, server } = await tabs();
  const watched = (): readonly string[] | undefined => {
    const last = server.frames.findLast((frame) => frame.type === "presence.watch");
    return last?.type === "presence.watch" ? last.accounts : undefined;
  };
  ada.client.watch({ accounts: ["x"] });
  third.client.watch({ accounts: [bob.account_id] });
  await clock.until(() => watched()?.length === 2, "both are watched");
  for (const { client } of [ada, second, third]) client.setPresence("away");
  const status = (): string | undefined => {
    const last = server.frames.findLast((frame) => frame.type === "presence.set");
    return last?.type === "presence.set" ? last.status : undefined;
  };
  await clock.until(() => status() === "away", "all are away");
  second.client.setPresence("online");
  await clock.until(() => status() === "online", "one is there");
  world.kill(ada.profile, third.tab);
  await clock.until(() => watched()?.join() === "x", "the closed tab watches nobody");
  world.kill(ada.profile, ada.tab);
  second.client.watch({ accounts: ["y"] });
  await clock.until(() => watched()?.join() === "y", "the next leader watches for those who are left");
});

test("signing out in one tab signs out in all", async () => {
  const { world, ada, second, third, clock } = await tabs();
  await world.done(second.client.signOut());
  for (const { client } of [ada, second, third]) {
    await clock.until(() => client.session.value.state === "signed_out", "signed out");
    assert.equal(client.rooms.value.size, 0);
    await assert.rejects(world.done(client.api.ask("readMe", {})), { code: "unauthorized" });
  }
  await world.signIn(third.client, "ada");
  await clock.until(() => second.client.connection.value.state === "live", "all tabs are back");
  assert.ok(ada.client.rooms.value.has("r"));
});

test("a tab signs out at once, with or without a leader that hears it", async () => {
  const { world, ada, second, third, clock } = await tabs();
  const hears = ada.profile.deafen(ada.tab);
  const signedOut = second.client.signOut();
  await clock.until(() => second.client.session.value.state === "signed_out", "the tab is signed out", 100);
  await clock.until(() => third.client.session.value.state === "signed_out", "so is the other", 100);
  await assert.rejects(world.done(third.client.api.ask("readMe", {})), { code: "unauthorized" });
  hears();
  await world.done(signedOut);
});

test("two tabs may sign out at once", async () => {
  const { world, ada, second, third, clock } = await tabs();
  await world.done(Promise.all([second.client.signOut(), third.client.signOut(), ada.client.signOut()]));
  await clock.pass(100);
  for (const { client } of [ada, second, third]) assert.deepEqual(client.session.value, { state: "signed_out" });
  assert.equal((await ada.store.load()).session, undefined);
  assert.deepEqual(world.faults, []);
});

test("a leader that is gone before it could forget is followed by one that does", async () => {
  const { world, ada, second, clock, server } = await tabs();
  server.away = true;
  server.cutAll();
  ada.profile.deafen(ada.tab);
  const signedOut = second.client.signOut(true);
  await clock.until(() => second.client.session.value.state === "signed_out", "signed out");
  world.kill(ada.profile, ada.tab);
  await world.done(signedOut);
  const kept = await ada.store.load();
  assert.deepEqual([kept.session, kept.rooms], [undefined, []]);
});

test("a leader that its browser suspended is replaced, and follows when it wakes", async () => {
  const { world, ada, bob, second, third, sockets, clock, server } = await tabs();
  const wake = ada.profile.suspend(ada.tab);
  const send = third.client.room("r").send("to whom it may concern");
  await clock.until(() => second.isLeader() || third.isLeader(), "another one leads", 4_000);
  await clock.until(() => bodies(third.client, "r").length === 1, "its message is sent");
  server.say("r", bob.account_id, "for all");
  await clock.until(() => bodies(second.client, "r").length === 2, "tabs are told");
  wake();
  await clock.until(() => !ada.isLeader() && bodies(ada.client, "r").length === 2, "it follows");
  await clock.pass(10_000);
  assert.equal([ada, second, third].filter((each) => each.isLeader()).length, 1);
  assert.equal(sockets(), 1);
  assert.equal(ada.client.connection.value.state, "live");
  assert.deepEqual(server.rooms.get("r")!.messages.map((each) => each.client_id).filter((id) => id === send.client_id).length, 1);
  assert.deepEqual(world.faults, []);
});

test("what a suspended leader had begun is finished by the next", async () => {
  const { world, ada, bob, second, third, clock, server } = await tabs();
  second.client.room("r").send("mine");
  await clock.until(() => bodies(ada.client, "r").length === 1, "it is said");
  server.faults = { http: (operation) => (operation === "editMessage" ? "before" : undefined) };
  const edited = ada.client.room("r").edit(1, "MINE");
  await clock.pass(1_000);
  const wake = ada.profile.suspend(ada.tab);
  await clock.until(() => second.isLeader() || third.isLeader(), "another one leads", 4_000);
  wake();
  await clock.until(() => !ada.isLeader(), "it follows");
  await clock.pass(3_000);
  server.faults = {};
  await world.done(edited);
  await clock.until(() => bodies(bob.client, "r").join() === "MINE", "it is edited");
});

test("what another tab asked of a leader that is none any more is answered by the next", async () => {
  const { world, ada, bob, second, third, clock, server } = await tabs();
  third.client.room("r").send("mine");
  await clock.until(() => bodies(third.client, "r").length === 1, "it is said");
  server.faults = { http: (operation) => (operation === "editMessage" ? "before" : undefined) };
  const edited = third.client.room("r").edit(1, "MINE");
  const outcome = edited.then(() => "edited", (failure: { code: string }) => failure.code);
  await clock.pass(1_000);
  const wake = ada.profile.suspend(ada.tab);
  await clock.until(() => second.isLeader() || third.isLeader(), "another one leads", 4_000);
  wake();
  await clock.until(() => !ada.isLeader(), "it follows");
  await clock.pass(3_000);
  server.faults = {};
  assert.equal(await world.done(outcome), "edited");
  await clock.until(() => bodies(bob.client, "r").join() === "MINE", "it is edited");
});

test("nobody takes over from a leader while nobody looks", async () => {
  const world = new World();
  const ada = await world.person("ada");
  await world.signIn(ada.client, "ada");
  let visible = false;
  const second = await world.tab(ada.profile, ada.store, { visible: () => visible });
  const wake = ada.profile.suspend(ada.tab);
  await world.clock.pass(60_000);
  assert.equal(second.isLeader(), false);
  visible = true;
  second.wake();
  await world.clock.until(() => second.isLeader() && second.client.connection.value.state === "live", "it leads", 5_000);
  wake();
});

test("a leader that answers late is not replaced", async () => {
  const { ada, second, third, clock } = await tabs();
  for (let i = 0; i < 5; i++) {
    const wake = ada.profile.suspend(ada.tab);
    await clock.pass(1_900);
    wake();
    await clock.pass(100);
  }
  assert.deepEqual([ada, second, third].map((each) => each.isLeader()), [true, false, false]);
});

test("a tab that is looked at keeps the time for a leader whose timers its browser slows down", async () => {
  const world = new World();
  const account_id = world.server.account("ada");
  world.server.room("r", account_id);
  const profile = new Profile();
  const store = new MemoryStore();
  let slow = false;
  const first = await world.tab(profile, store, { slow: () => slow });
  await world.signIn(first.client, "ada");
  const second = await world.tab(profile, store);
  slow = true;
  world.server.mute = true;
  await world.clock.until(() => second.client.connection.value.state !== "live", "it is silent", 33_000);
  world.server.mute = false;
  await world.clock.until(() => second.client.connection.value.state === "live", "it is back");
  assert.deepEqual([first, second].map((each) => each.isLeader()), [true, false]);
});

test("nobody is signed in again by what a leader could not forget, not even where all who knew are gone", async () => {
  const { world, ada, second, third, clock, server } = await tabs();
  server.away = true;
  server.cutAll();
  ada.profile.suspend(ada.tab);
  void second.client.signOut(true);
  await clock.until(() => third.client.session.value.state === "signed_out", "all know", 100);
  for (const { tab } of [second, ada]) world.kill(ada.profile, tab);
  await clock.until(() => third.isLeader(), "the last one leads");
  await clock.pass(1_000);
  assert.deepEqual(third.client.session.value, { state: "signed_out" });
  assert.equal((await ada.store.load()).session, undefined);
});

test("a tab that missed a change asks for all", async () => {
  const { ada, bob, second, clock, server } = await tabs();
  const deaf = ada.profile.deafen(second.tab);
  server.say("r", bob.account_id, "1");
  await clock.pass(100);
  deaf();
  server.say("r", bob.account_id, "2");
  await clock.until(() => bodies(second.client, "r").length === 2, "both are there");
  assert.deepEqual(bodies(second.client, "r"), ["1", "2"]);
});

test("tabs that all renew at once ask the server as often as needed and stay signed in", async () => {
  const { world, ada, second, third, server } = await tabs();
  server.expire();
  await world.done(Promise.all([ada, second, third].map(({ client }) => client.api.ask("readMe", {}))));
  assert.ok(server.calls.filter((call) => call === "refreshTokens").length <= 3);
  assert.equal(second.client.session.value.state, "signed_in");
});

/** Ada with two tabs of a browser without Web Locks: the first is displaced. */
async function unlocked() {
  const world = new World();
  const account_id = world.server.account("ada");
  const bob = world.server.account("bob");
  world.server.room("r", account_id, bob);
  const profile = new Profile();
  const store = new MemoryStore();
  const open = () => world.tab(profile, store, { unlocked: true });
  const first = await open();
  await world.signIn(first.client, "ada");
  const second = await open();
  await world.clock.until(() => first.client.connection.value.state === "stopped", "the first is displaced");
  return { world, profile, store, open, first, second, clock: world.clock, server: world.server };
}

test("without Web Locks, too, signing out in one tab signs out in all", async () => {
  const { world, store, first, second, clock } = await unlocked();
  await world.done(second.client.signOut());
  await clock.until(() => first.client.session.value.state === "signed_out", "the other hears it", 100);
  first.client.room("r").setDraft("nobody's");
  await clock.pass(1_000);
  assert.deepEqual((await store.load()).rooms, []);
});

test("what is written into a store that was cleared is nobody's", async () => {
  const { world, profile, store, open, first, second, clock, server } = await unlocked();
  profile.deafen(first.tab);
  await world.done(second.client.signOut());
  first.client.room("r").setDraft("half a tho");
  first.client.room("r").send("ada's words");
  await clock.pass(1_000);
  for (const { tab } of [first, second]) world.kill(profile, tab);
  const { client } = await open();
  assert.deepEqual([client.session.value.state, client.rooms.value.size, client.room("r").pending.value], ["signed_out", 0, []]);
  await world.signIn(client, "bob");
  await clock.pass(1_000);
  assert.deepEqual([server.rooms.get("r")!.messages, client.rooms.value.get("r")?.draft], [[], ""]);
  assert.deepEqual((await store.load()).sends, []);
});

/** Ada's words are kept; then a tab leads whose browser opened no database, and one follows that has it. */
async function keptUnseen() {
  const world = new World();
  const ada = await world.person("ada");
  const bob = world.server.account("bob");
  world.server.room("r", ada.account_id, bob);
  await world.signIn(ada.client, "ada");
  world.server.away = true;
  world.server.cutAll();
  ada.client.room("r").setDraft("half a tho");
  ada.client.room("r").send("later");
  await world.clock.pass(1_000);
  world.kill(ada.profile, ada.tab);
  const blind = await world.tab(ada.profile, NO_STORE);
  const second = await world.tab(ada.profile, ada.store);
  assert.deepEqual([blind.isLeader(), second.isLeader()], [true, false]);
  world.server.away = false;
  return { world, ada, blind, second, clock: world.clock, server: world.server };
}

test("what is kept stays where a tab without a store led before, and is taken up", async () => {
  const { world, ada, blind, second, clock, server } = await keptUnseen();
  world.kill(ada.profile, blind.tab);
  await clock.until(() => second.client.connection.value.state === "live", "it is live");
  assert.equal(second.client.rooms.value.get("r")?.draft, "half a tho");
  await clock.until(() => server.rooms.get("r")!.messages.length === 1, "what waited is sent");
  await clock.pass(1_000);
  const kept = await ada.store.load();
  assert.deepEqual([kept.session?.handle, kept.rooms[0]?.draft, kept.sends], ["ada", "half a tho", []]);
});

test("who signed in where nothing is kept takes over nothing of another account", async () => {
  const { world, ada, blind, second, clock, server } = await keptUnseen();
  await world.signIn(blind.client, "bob");
  world.kill(ada.profile, blind.tab);
  await clock.until(() => second.isLeader() && second.client.connection.value.state === "live", "the other one leads");
  await clock.pass(1_000);
  assert.deepEqual([server.rooms.get("r")!.messages, second.client.rooms.value.get("r")?.draft], [[], ""]);
  const kept = await ada.store.load();
  assert.deepEqual([kept.session?.handle, kept.rooms.map(({ draft }) => draft), kept.sends], ["bob", [""], []]);
});

test("a tab that its browser suspended while it renewed the tokens keeps others waiting no longer than a moment", async () => {
  const { world, ada, second, clock, server } = await tabs();
  let answer = (): void => undefined;
  server.expire();
  server.faults = { delay: async (operation) => (operation === "refreshTokens" ? new Promise<void>((done) => (answer = done)) : undefined) };
  const asked = ada.client.api.ask("readMe", {}).then(() => undefined, () => undefined);
  await clock.until(() => server.calls.at(-1) === "refreshTokens", "it renews them");
  const wake = ada.profile.suspend(ada.tab);
  server.faults = {};
  const began = clock.now;
  await world.done(second.client.api.ask("readMe", {}));
  assert.ok(clock.now - began < 30_000);
  server.expire();
  await world.done(second.client.api.ask("readMe", {}));
  const renewals = server.calls.filter((call) => call === "refreshTokens").length;
  wake();
  await clock.pass(10);
  answer();
  await world.done(asked);
  await world.done(Promise.all([ada, second].map(({ client }) => client.api.ask("readMe", {}))));
  assert.equal(server.calls.filter((call) => call === "refreshTokens").length, renewals, "the newer tokens stay");
  assert.equal(ada.client.session.value.state, "signed_in");
});

test("a seat that the next connection does not tell is lost, whoever leads, and is not kept", async () => {
  const { world, ada, second, third, clock, server } = await tabs();
  server.tell(ada.account_id, { type: "seat.inside", room_id: "r", inside: 1, capacity: 2 });
  await clock.until(() => second.client.rooms.value.get("r")?.seat !== undefined, "it is told");
  await clock.pass(1_000);
  assert.equal((await ada.store.load()).rooms[0]?.state?.seat, undefined);
  world.kill(ada.profile, ada.tab);
  await clock.until(() => third.client.rooms.value.get("r")?.seat === undefined, "it is lost", 10_000);
  assert.equal(second.client.rooms.value.get("r")?.seat, undefined);
});

test("who typed when the leader went types no longer", async () => {
  const { world, ada, bob, second, third, clock } = await tabs();
  bob.client.room("r").typing();
  const typing = () => [second, third].map(({ client }) => client.rooms.value.get("r")!.typing.length);
  await clock.until(() => typing().join() === "1,1", "it is shown");
  world.kill(ada.profile, ada.tab);
  await clock.until(() => typing().join() === "0,0", "it is over", 10_000);
});

test("settings that were changed in one tab are so in all", async () => {
  const { world, ada, second, third, clock } = await tabs();
  await world.done(second.client.changeMe({ invites_from: "nobody" }));
  assert.equal(second.client.me.value?.invites_from, "nobody");
  for (const { client } of [ada, third]) await clock.until(() => client.me.value?.invites_from === "nobody", "it is told", 100);
});

test("who signs out where nothing is kept is forgotten by the tab that has a store", async () => {
  const { world, ada, blind, second, clock } = await keptUnseen();
  await world.signIn(blind.client, "ada");
  await world.done(blind.client.signOut());
  const third = await world.tab(ada.profile, ada.store);
  for (const { tab } of [blind, second]) world.kill(ada.profile, tab);
  await clock.until(() => third.isLeader(), "the last one leads");
  await clock.pass(1_000);
  const kept = await ada.store.load();
  assert.deepEqual([third.client.session.value, kept.session, kept.rooms, kept.sends], [{ state: "signed_out" }, undefined, [], []]);
});
