import assert from "node:assert/strict";
import { test } from "node:test";
import type { RoomUpdate } from "../../src/model/views.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import type { Batch } from "../../src/store/store.ts";
import { Profile } from "../support/platform.ts";
import { bodies, World } from "../support/world.ts";

/** Ada and Bob in one room, both live. */
async function together() {
  const world = new World();
  const ada = await world.person("ada");
  const bob = await world.person("bob");
  world.server.room("r", ada.account_id, bob.account_id);
  await world.signIn(ada.client, "ada");
  await world.signIn(bob.client, "bob");
  return { world, ada, bob, clock: world.clock, server: world.server };
}

test("nobody is signed in at first", async () => {
  const world = new World();
  const { client } = await world.person("ada");
  assert.deepEqual(client.session.value, { state: "signed_out" });
  await assert.rejects(client.api.ask("readMe", {}), { code: "unauthorized" });
  await assert.rejects(world.done(client.signIn("ada", "wrong")), { code: "unauthorized" });
  assert.deepEqual(world.faults, []);
});

test("a message is shown at once, keeps its key, and is received by the other", async () => {
  const { ada, bob, clock } = await together();
  const room = ada.client.room("r");
  const kinds: string[] = [];
  room.updates((update) => kinds.push(update.kind));
  const send = room.send("Hello");
  assert.deepEqual(room.pending.value.map((each) => each.body), ["Hello"]);
  await clock.until(() => kinds.includes("said"), "it comes back");
  assert.deepEqual(room.pending.value, []);
  const [message] = room.log.value.messages;
  assert.equal(message?.client_id, send.client_id);
  assert.equal(message?.provisional, undefined);
  await clock.until(() => bodies(bob.client, "r").length === 1, "the other has it");
  assert.equal(bob.client.rooms.value.get("r")?.unread, 1);
  assert.equal(ada.client.rooms.value.get("r")?.unread, 0);
});

test("an acknowledged message stands at its place before its own event comes", async () => {
  const { ada, clock, server } = await together();
  const room = ada.client.room("r");
  const updates: RoomUpdate[] = [];
  room.updates((update) => updates.push(update));
  server.faults = { cut: (frame) => frame.type === "message.receive" };
  room.send("Hello");
  await clock.pass(1);
  server.faults = {};
  await clock.until(() => updates.length > 0, "it is stored or said");
  await clock.until(() => room.log.value.messages.some((each) => !each.provisional), "it is said");
  assert.equal(room.log.value.messages.length, 1);
  assert.deepEqual(bodies(ada.client, "r"), ["Hello"]);
});

test("edits and deletions are shown at once, and to the other", async () => {
  const { world, ada, bob, clock } = await together();
  const room = ada.client.room("r");
  room.send("one");
  room.send("two");
  await clock.until(() => bodies(bob.client, "r").length === 2, "both are there");
  const edited = room.edit(1, "ONE");
  assert.equal(room.edits.value.get(1)?.body, "ONE");
  await world.done(edited);
  assert.equal(room.edits.value.size, 0);
  await world.done(room.delete(2));
  await world.done(room.delete(2));
  await clock.until(() => bodies(bob.client, "r").join() === "ONE,†", "the other sees it");
  assert.deepEqual(bodies(ada.client, "r"), ["ONE", "†"]);
  assert.ok("deleted_at" in bob.client.rooms.value.get("r")!.last_message!);
  await assert.rejects(world.done(bob.client.room("r").edit(1, "mine")), { code: "forbidden" });
  assert.equal(bob.client.room("r").edits.value.size, 0);
});

test("edits and deletions wait for a connection as long as it takes, also across a reload", async () => {
  const { world, ada, bob, clock, server } = await together();
  const room = ada.client.room("r");
  for (const body of ["one", "two", "three"]) room.send(body);
  await clock.until(() => bodies(bob.client, "r").length === 3, "all are said");
  server.away = true;
  server.cutAll();
  const edited = room.edit(1, "ONE");
  await clock.pass(120_000);
  void room.edit(2, "TWO").catch(() => undefined);
  void room.delete(3).catch(() => undefined);
  void ada.leave();
  await clock.pass(1);
  world.kill(ada.profile, ada.tab);
  const again = await world.tab(ada.profile, ada.store);
  assert.deepEqual([...again.client.room("r").edits.value.values()].map((each) => each.body), ["ONE", "TWO", undefined]);
  server.away = false;
  await clock.until(() => again.client.room("r").edits.value.size === 0, "all are settled");
  await clock.until(() => bodies(bob.client, "r").join() === "ONE,TWO,†", "all are done");
  await clock.pass(1_000);
  assert.deepEqual((await ada.store.load()).rooms.map((each) => each.edits), [undefined]);
  void edited.catch(() => undefined);
});

test("an edit that waits gives way to a later one, and a deletion comes last", async () => {
  const { world, ada, bob, clock, server } = await together();
  const room = ada.client.room("r");
  room.send("one");
  await clock.until(() => bodies(bob.client, "r").length === 1, "it is said");
  server.away = true;
  server.cutAll();
  const edits = ["two", "three"].map((body) => room.edit(1, body));
  await clock.pass(60_000);
  server.away = false;
  server.calls.length = 0;
  await world.done(Promise.all(edits));
  assert.deepEqual(bodies(bob.client, "r"), ["three"]);
  assert.equal(server.calls.filter((call) => call === "editMessage").length, 1);
  server.away = true;
  void room.edit(1, "four");
  const deleted = room.delete(1);
  await clock.pass(10_000);
  server.away = false;
  await world.done(deleted);
  assert.deepEqual(bodies(bob.client, "r"), ["†"]);
});

test("edits of one message are under way one after the other", async () => {
  const { world, ada, bob, clock, server } = await together();
  const room = ada.client.room("r");
  room.send("one");
  await clock.until(() => bodies(bob.client, "r").length === 1, "it is said");
  server.faults = { delay: async (operation) => (operation === "editMessage" ? clock.sleep(2_000) : undefined) };
  const edits = [room.edit(1, "two")];
  await clock.pass(500);
  edits.push(room.edit(1, "three"));
  await clock.pass(1_000);
  assert.equal(server.calls.filter((call) => call === "editMessage").length, 1);
  await world.done(Promise.all(edits));
  assert.deepEqual(bodies(bob.client, "r"), ["three"]);
});

test("counts follow what is said, read and mentioned", async () => {
  const { ada, bob, clock, server } = await together();
  for (const body of ["1", "2 @all", "3"]) server.say("r", ada.account_id, body);
  await clock.until(() => bob.client.rooms.value.get("r")?.unread === 3, "three are unread");
  assert.equal(bob.client.rooms.value.get("r")?.mentions, 1);
  bob.client.room("r").read(2);
  assert.equal(bob.client.rooms.value.get("r")?.unread, 1);
  assert.equal(bob.client.rooms.value.get("r")?.mentions, 0);
  await clock.until(() => server.rooms.get("r")!.read.get(bob.account_id) === 2, "the server is told");
  await clock.until(() => ada.client.room("r").receipts.value.read_seq === 2, "the sender is told");
  assert.equal(ada.client.room("r").markers.value.get(bob.account_id)?.read_seq, 2);
  server.away = true;
  server.cutAll();
  await clock.until(() => bob.client.connection.value.state !== "live", "it is lost");
  server.say("r", ada.account_id, "4");
  server.away = false;
  await clock.until(() => bob.client.connection.value.state === "live", "it is back");
  await clock.pass(100);
  assert.equal(bob.client.rooms.value.get("r")?.unread, 2);
});

test("who types is shown until they send", async () => {
  const { ada, bob, clock } = await together();
  ada.client.room("r").typing();
  await clock.until(() => bob.client.rooms.value.get("r")!.typing.length === 1, "typing is shown");
  ada.client.room("r").send("done");
  await clock.until(() => bodies(bob.client, "r").length === 1, "it is said");
  assert.deepEqual(bob.client.rooms.value.get("r")?.typing, []);
});

test("what is written without a connection waits, and goes out in order", async () => {
  const { ada, bob, clock, server } = await together();
  server.away = true;
  server.cutAll();
  await clock.until(() => ada.client.connection.value.state === "waiting", "it waits");
  const { retry_in_ms, retry_at, lost_at } = ada.client.connection.value;
  assert.ok(retry_in_ms! <= 500 && retry_at! >= clock.now - 10 && lost_at! <= clock.now);
  const room = ada.client.room("r");
  for (const body of ["1", "2", "3"]) room.send(body);
  await clock.pass(60_000);
  assert.equal(room.pending.value.length, 3);
  server.away = false;
  ada.client.connect();
  await clock.until(() => bodies(bob.client, "r").length === 3, "all are said");
  assert.deepEqual(bodies(bob.client, "r"), ["1", "2", "3"]);
});

test("what waits survives a reload, with the same ids, and is stored once", async () => {
  const { world, ada, clock, server } = await together();
  const stored: string[] = [];
  // the server hears the message, and the connection is lost before it can say so
  server.faults = {
    cut: (frame) => frame.type === "message.ack" || (frame.type === "message.receive" && frame.sender_id === ada.account_id),
  };
  const first = ada.client.room("r").send("heard");
  await clock.pass(100);
  server.away = true;
  server.cutAll();
  const second = ada.client.room("r").send("not heard");
  await clock.pass(5_000);
  world.kill(ada.profile, ada.tab);
  server.faults = {};
  const again = await world.tab(ada.profile, ada.store);
  assert.deepEqual(again.client.room("r").pending.value.map((each) => each.client_id), [first.client_id, second.client_id]);
  server.away = false;
  await clock.until(() => again.client.room("r").pending.value.length === 0, "all are stored");
  for (const message of server.rooms.get("r")!.messages) if ("body" in message) stored.push(message.body);
  assert.deepEqual(stored, ["heard", "not heard"]);
  await clock.until(() => bodies(again.client, "r").length === 2, "all are shown");
});

test("a refused message stays, is tried again by its id, or is forgotten", async () => {
  const { ada, clock, server } = await together();
  const room = ada.client.room("r");
  server.leave("r", ada.account_id);
  const send = room.send("too late");
  await clock.until(() => room.pending.value[0]?.state === "failed", "it fails");
  assert.equal(room.pending.value[0]?.error?.code, "not_found");
  server.join("r", ada.account_id);
  await clock.pass(100);
  ada.client.retry(send.client_id);
  await clock.until(() => room.pending.value.length === 0, "it is stored");
  assert.equal(server.rooms.get("r")!.messages[0]?.client_id, send.client_id);
  const large = room.send("x".repeat(20_000));
  await clock.until(() => room.pending.value[0]?.error?.code === "too_large", "it is too large");
  ada.client.discard(large.client_id);
  assert.deepEqual(room.pending.value, []);
  await clock.pass(1_000);
  assert.deepEqual((await ada.store.load()).sends, []);
});

test("a reload shows what was there, also without a server", async () => {
  const { world, ada, bob, clock, server } = await together();
  for (let i = 1; i <= 5; i++) server.say("r", bob.account_id, `m${i}`);
  await clock.until(() => bodies(ada.client, "r").length === 5, "all came");
  ada.client.room("r").setDraft("half a tho");
  await clock.pass(1_000);
  world.kill(ada.profile, ada.tab);
  server.away = true;
  const { client } = await world.tab(ada.profile, ada.store);
  assert.equal(client.session.value.state, "signed_in");
  assert.equal(client.rooms.value.get("r")?.unread, 5);
  assert.equal(client.rooms.value.get("r")?.draft, "half a tho");
  const room = client.room("r");
  await clock.pass(1);
  assert.equal(room.log.value.messages.length, 5);
  const page = await world.done(room.history({ before: 4, limit: 2 }));
  assert.deepEqual(page.messages.map((each) => each.seq), [2, 3]);
  assert.equal(page.cached, true);
  server.away = false;
  server.say("r", bob.account_id, "m6");
  await clock.until(() => bodies(client, "r").length === 6, "what was missed comes");
  assert.deepEqual(bodies(client, "r"), ["m1", "m2", "m3", "m4", "m5", "m6"]);
  const { frames } = server;
  const resume = frames.findLast((frame) => frame.type === "resume");
  assert.deepEqual(resume?.type === "resume" && resume.rooms?.map((each) => each.rev), [7], "resumed from the last event");
});

test("a reload without a server shows since when", async () => {
  const { world, ada, clock, server } = await together();
  await clock.pass(5_000);
  void ada.leave();
  await clock.pass(1);
  const left = clock.now;
  world.kill(ada.profile, ada.tab);
  server.away = true;
  await clock.pass(60_000);
  const again = await world.tab(ada.profile, ada.store);
  await clock.until(() => again.client.connection.value.state === "waiting", "it waits");
  assert.ok(Math.abs(again.client.connection.value.lost_at! - left) < 10);
  server.away = false;
  await clock.until(() => again.client.connection.value.state === "live", "it is live");
  assert.equal(again.client.connection.value.lost_at, undefined);
  server.away = true;
  server.cutAll();
  await clock.until(() => again.client.connection.value.state === "waiting", "it is lost");
  const { lost_at } = again.client.connection.value;
  await clock.pass(60_000);
  world.kill(ada.profile, again.tab);
  const last = await world.tab(ada.profile, ada.store);
  assert.equal(last.client.connection.value.lost_at, lost_at);
  await world.done(last.client.signOut(true));
  assert.deepEqual([last.client.connection.value, (await ada.store.load()).live_at], [{ state: "stopped" }, undefined]);
});

test("what was read without a connection is told with the next one, also after a reload", async () => {
  const { world, ada, bob, clock, server } = await together();
  for (let i = 1; i <= 3; i++) server.say("r", bob.account_id, `m${i}`);
  await clock.until(() => bodies(ada.client, "r").length === 3, "all came");
  server.away = true;
  server.cutAll();
  ada.client.room("r").read(2);
  await clock.pass(1_000);
  world.kill(ada.profile, ada.tab);
  const { client } = await world.tab(ada.profile, ada.store);
  assert.equal(client.rooms.value.get("r")?.unread, 1);
  server.away = false;
  await clock.until(() => server.rooms.get("r")!.read.get(ada.account_id) === 2, "the server is told");
  assert.equal(client.rooms.value.get("r")?.unread, 1);
});

test("a gap begins the log anew", async () => {
  const { ada, bob, clock, server } = await together();
  server.say("r", bob.account_id, "before");
  await clock.until(() => bodies(ada.client, "r").length === 1, "it came");
  const gaps: boolean[] = [];
  ada.client.room("r").updates((update) => update.kind === "reset" && gaps.push(update.gap));
  server.away = true;
  server.cutAll();
  for (let i = 0; i < 100; i++) server.say("r", bob.account_id, `m${i}`);
  server.most = 50;
  server.away = false;
  await clock.until(() => gaps.length === 1, "it begins anew");
  const log = ada.client.room("r").log.value;
  assert.deepEqual(gaps, [true]);
  assert.equal(log.generation, 1);
  assert.equal(log.messages.length, 50);
  assert.equal(log.has_older, true);
});

test("a page has what was changed while it was on its way", async () => {
  const { world, ada, bob, clock, server } = await together();
  for (let i = 1; i <= 3; i++) server.say("r", bob.account_id, `m${i}`);
  server.faults = {
    delay: async (operation) => {
      if (operation !== "readHistory") return;
      server.faults = {};
      server.edit("r", 1, bob.account_id, "M1");
      server.delete("r", 2, bob.account_id);
      server.say("r", bob.account_id, "m4");
      await clock.sleep(100);
    },
  };
  const page = await world.done(ada.client.room("r").history());
  assert.deepEqual(page.messages.map((each) => ("body" in each ? each.body : "†")), ["M1", "†", "m3", "m4"]);
  assert.deepEqual(bodies(ada.client, "r"), ["M1", "†", "m3", "m4"]);
});

test("a page has the beginning of a log that began anew while it was on its way, or says that more follows", async () => {
  for (const [said, kept, expected] of [[2, 0, ["m1", "m2"]], [60, 0, []], [2, 1, ["m0", "m1", "m2"]]] as const) {
    const { world, ada, bob, clock, server } = await together();
    if (kept) server.say("r", bob.account_id, "m0");
    await clock.pass(1_000);
    server.faults = {
      delay: async (operation) => {
        if (operation !== "readHistory") return;
        server.faults = {};
        server.cutAll();
        for (let i = 1; i <= said; i++) server.say("r", bob.account_id, `m${i}`);
        server.most = 0;
        await clock.sleep(30_000);
      },
    };
    const page = await world.done(ada.client.room("r").history());
    assert.deepEqual(page.messages.map((each) => "body" in each && each.body), expected);
    assert.equal(page.has_newer, said === 60);
  }
});

test("a connection that died in a sleep is found out at once", async () => {
  const { ada, clock, server } = await together();
  server.mute = true;
  await clock.pass(1_000);
  ada.wake();
  await clock.pass(2_900);
  assert.equal(ada.client.connection.value.state, "live");
  await clock.pass(200);
  assert.notEqual(ada.client.connection.value.state, "live");
  server.mute = false;
  await clock.until(() => ada.client.connection.value.state === "live", "it is back");
  const pings = server.frames.filter((frame) => frame.type === "ping").length;
  ada.wake();
  await clock.pass(4_000);
  assert.equal(ada.client.connection.value.state, "live");
  assert.equal(server.frames.filter((frame) => frame.type === "ping").length, pings + 1);
});

test("a send that is refused for now says until when, and why", async () => {
  const { ada, clock, server } = await together();
  const room = ada.client.room("r");
  let limited = true;
  server.faults = { refuse: () => (limited ? "limited" : undefined) };
  room.send("too soon");
  await clock.until(() => room.pending.value[0]?.retry_at !== undefined, "it is told", 1_000);
  const [send] = room.pending.value;
  assert.equal(send?.state, "waiting");
  assert.equal(send?.error?.code, "rate_limited");
  assert.ok(Math.abs(send!.retry_at! - clock.now - 4_000) < 100);
  limited = false;
  server.away = true;
  server.cutAll();
  await clock.until(() => room.pending.value[0]?.retry_at === undefined, "it need not wait any more", 2_000);
  server.away = false;
  await clock.until(() => room.pending.value.length === 0, "a new connection takes it at once", 2_000);
});

test("what was written a moment ago is kept when the page goes", async () => {
  const { world, ada } = await together();
  ada.client.room("r").setDraft("just now");
  void ada.leave();
  await world.clock.pass(1);
  world.kill(ada.profile, ada.tab);
  const again = await world.tab(ada.profile, ada.store);
  assert.equal(again.client.rooms.value.get("r")?.draft, "just now");
});

test("expired tokens are renewed once for all calls", async () => {
  const { world, ada, server } = await together();
  server.expire();
  server.calls.length = 0;
  await world.done(Promise.all([1, 2, 3].map(() => ada.client.api.ask("readMe", {}))));
  assert.equal(server.calls.filter((call) => call === "refreshTokens").length, 1);
});

test("a sign-in that ended elsewhere is told, and what waits is kept for who comes back", async () => {
  const { world, ada, clock, server } = await together();
  server.revoke(ada.account_id);
  await clock.until(() => ada.client.session.value.state === "signed_out", "it is over");
  assert.deepEqual(ada.client.session.value, { state: "signed_out", why: "signed out", handle: "ada" });
  ada.client.room("r").send("later");
  await clock.pass(1_000);
  await world.signIn(ada.client, "ada");
  await clock.until(() => server.rooms.get("r")!.messages.length === 1, "it is sent");
});

test("signing out forgets everything, and another account sees nothing of the first", async () => {
  const { world, ada, bob, clock, server } = await together();
  server.say("r", bob.account_id, "secret");
  await clock.until(() => bodies(ada.client, "r").length === 1, "it came");
  ada.client.room("r").setDraft("draft");
  await clock.pass(1_000);
  await world.done(ada.client.signOut());
  assert.deepEqual(ada.client.session.value, { state: "signed_out" });
  assert.equal(ada.client.rooms.value.size, 0);
  const kept = await ada.store.load();
  assert.deepEqual([kept.session, kept.rooms, kept.sends, kept.people], [undefined, [], [], []]);
  assert.deepEqual(await ada.store.messages("r"), []);
  server.account("eve");
  await world.signIn(ada.client, "eve");
  assert.equal(ada.client.rooms.value.size, 0);
  assert.deepEqual(bodies(ada.client, "r"), []);
});

test("a server that does not take a sign-out at once is asked again", async () => {
  const { world, ada, server } = await together();
  let refusals = 2;
  server.faults = { http: (operation) => (operation === "signOut" && refusals-- > 0 ? "unavailable" : undefined) };
  await world.done(ada.client.signOut());
  assert.deepEqual(ada.client.session.value, { state: "signed_out" });
  assert.equal(server.calls.filter((call) => call === "signOut").length, 3);
});

test("a store that never answers keeps nobody signed in", async () => {
  class Stuck extends MemoryStore {
    stuck = false;
    override write(batch: Batch): Promise<void> {
      return this.stuck ? new Promise(() => undefined) : super.write(batch);
    }
  }
  const world = new World();
  const account_id = world.server.account("ada");
  world.server.room("r", account_id);
  const store = new Stuck();
  const { client } = await world.tab(new Profile(), store);
  await world.signIn(client, "ada");
  await world.clock.pass(1_000);
  store.stuck = true;
  client.room("r").setDraft("never kept");
  client.room("r").send("is sent all the same");
  await world.clock.until(() => world.server.rooms.get("r")!.messages.length === 1, "it is sent");
  const signedOut = client.signOut();
  await world.clock.until(() => client.session.value.state === "signed_out", "signed out", 100);
  await world.done(signedOut);
  assert.equal((await store.load()).session, undefined, "what is kept is cleared all the same");
  await world.signIn(client, "ada");
});

test("a store that opens and answers nothing keeps nobody from signing in", async () => {
  class Mute extends MemoryStore {
    override load = () => new Promise<never>(() => undefined);
    override clear = () => new Promise<never>(() => undefined);
    override write = () => new Promise<never>(() => undefined);
  }
  const world = new World();
  const account_id = world.server.account("ada");
  world.server.room("r", account_id);
  const profile = new Profile();
  const store = new Mute();
  const first = await world.tab(profile, store);
  const second = await world.tab(profile, store);
  await world.signIn(second.client, "ada");
  assert.deepEqual([first, second].map((each) => each.isLeader()), [true, false]);
  second.client.room("r").send("is sent all the same");
  await world.clock.until(() => world.server.rooms.get("r")!.messages.length === 1, "it is sent");
});

test("a sign-in that was ended without a server is ended there as soon as one is back, also by the next run", async () => {
  for (const cookie of [true, false]) {
    const world = new World();
    world.server.account("ada");
    const profile = new Profile();
    const store = new MemoryStore();
    const first = await world.tab(profile, store, { cookie });
    await world.signIn(first.client, "ada");
    world.server.away = true;
    world.server.cutAll();
    await world.done(first.client.signOut(true));
    assert.equal((await store.load()).session, undefined);
    await world.clock.pass(5_000);
    world.kill(profile, first.tab);
    const again = await world.tab(profile, store, { cookie });
    world.server.away = false;
    await world.clock.until(() => world.server.calls.includes("signOut"), "the server is told");
    await world.clock.pass(1_000);
    assert.equal(profile.cookie, undefined);
    assert.equal((await store.load()).owed, undefined);
    assert.deepEqual(again.client.session.value, { state: "signed_out" });
    assert.deepEqual(world.faults, []);
  }
});

test("who signs in after that is not signed out by it", async () => {
  const { world, ada, clock, server } = await together();
  server.account("eve");
  server.away = true;
  server.cutAll();
  await world.done(ada.client.signOut(true));
  server.away = false;
  await world.signIn(ada.client, "eve");
  await clock.pass(120_000);
  assert.equal(ada.client.session.value.state, "signed_in");
  assert.equal(server.calls.filter((call) => call === "signOut").length, 1, "the first one is signed out");
});

test("a name that could not be had is asked for again, though nobody looks a second time", async () => {
  const { ada, bob, clock, server } = await together();
  server.faults = { http: (call) => (call === "findAccounts" ? "unavailable" : undefined) };
  ada.client.person(bob.account_id);
  await clock.until(() => server.calls.includes("findAccounts"), "it was asked for");
  server.faults = {};
  await clock.until(() => ada.client.people.value.has(bob.account_id), "the name is known");
});

test("a name that may have changed is asked for again until it comes", async () => {
  const { ada, bob, clock, server } = await together();
  ada.client.person(bob.account_id);
  await clock.until(() => ada.client.people.value.has(bob.account_id), "the name is known");
  const asked = () => server.calls.filter((call) => call === "findAccounts").length;
  const before = asked();
  server.faults = { http: (call) => (call === "findAccounts" ? "unavailable" : undefined) };
  server.cutAll();
  await clock.until(() => asked() > before, "it was asked for");
  server.rename(bob.account_id, "Robert");
  server.faults = {};
  await clock.until(() => ada.client.people.value.get(bob.account_id)?.display_name === "Robert", "the new name is known");
});

test("a name that is refused for good is not asked for again by itself", async () => {
  const { ada, bob, clock, server } = await together();
  server.faults = { http: (call) => (call === "findAccounts" ? "forbidden" : undefined) };
  ada.client.person(bob.account_id);
  await clock.until(() => server.calls.includes("findAccounts"), "it was asked for");
  await clock.pass(60_000);
  assert.equal(server.calls.filter((call) => call === "findAccounts").length, 1);
});

test("a client that is closed asks for no names", async () => {
  const { ada, bob, clock, server } = await together();
  server.faults = { http: (call) => (call === "findAccounts" ? "unavailable" : undefined) };
  ada.client.person(bob.account_id);
  await clock.until(() => server.calls.includes("findAccounts"), "it was asked for");
  await ada.client.close();
  await clock.pass(1_000);
  const asked = server.calls.length;
  await clock.pass(60_000);
  assert.equal(server.calls.length, asked);
});

test("of a device that was revoked stays what was not sent, and nothing else", async () => {
  const { world, ada, bob, clock, server } = await together();
  server.room("quiet", ada.account_id);
  server.say("r", bob.account_id, "secret");
  await clock.until(() => bodies(ada.client, "r").length === 1, "it came");
  ada.client.person(bob.account_id);
  await clock.until(() => ada.client.people.value.has(bob.account_id), "the name is known");
  ada.client.room("quiet").setDraft("half a tho");
  await clock.pass(1_000);
  server.faults = { refuse: () => "lost" };
  const send = ada.client.room("r").send("later");
  await clock.pass(100);
  server.revoke(ada.account_id);
  await clock.until(() => ada.client.session.value.state === "signed_out", "it is over");
  await clock.pass(1_000);
  server.faults = {};
  assert.deepEqual([ada.client.rooms.value.size, bodies(ada.client, "r"), ada.client.people.value.size], [0, [], 0]);
  const kept = await ada.store.load();
  assert.deepEqual(await ada.store.messages("r"), []);
  assert.deepEqual(kept.sends.map((each) => each.client_id), [send.client_id]);
  assert.deepEqual(kept.rooms.map(({ room_id, draft, state, log }) => [room_id, draft, state, log]), [["quiet", "half a tho", undefined, undefined]]);
  assert.deepEqual([kept.people, kept.session?.handle], [[], "ada"]);
  await world.signIn(ada.client, "ada");
  await clock.until(() => server.rooms.get("r")!.messages.length === 2, "it is sent");
  assert.equal(ada.client.rooms.value.get("quiet")?.draft, "half a tho");
});

test("signing out leaves nothing, also where the server's word comes first and the store is slow", async () => {
  const world = new World();
  class Slow extends MemoryStore {
    override async write(batch: Batch): Promise<void> {
      await world.clock.sleep(500);
      await super.write(batch);
    }
  }
  const account_id = world.server.account("ada");
  world.server.room("r", account_id);
  const store = new Slow();
  const { client } = await world.tab(new Profile(), store);
  await world.signIn(client, "ada");
  await world.clock.pass(5_000);
  client.room("r").setDraft("unsent");
  await world.clock.pass(600);
  await world.done(client.signOut());
  await world.clock.pass(5_000);
  assert.deepEqual(client.session.value, { state: "signed_out" });
  const kept = await store.load();
  assert.deepEqual([kept.session, kept.rooms, kept.sends], [undefined, [], []]);
});

test("what is answered after somebody signed out is of nobody", async () => {
  const { world, ada, bob, clock, server } = await together();
  server.say("r", bob.account_id, "secret");
  server.faults = { delay: async (operation) => (operation === "readHistory" || operation === "listMembers" ? clock.sleep(2_000) : undefined) };
  const room = ada.client.room("r");
  const asked = [room.history(), room.loadMembers()].map((each) => each.then(() => "answered", (failure: { code: string }) => failure.code));
  await clock.pass(100);
  await world.done(ada.client.signOut());
  assert.deepEqual(await world.done(Promise.all(asked)), ["closed", "closed"]);
  room.setDraft("nobody's");
  await clock.pass(1_000);
  assert.deepEqual([bodies(ada.client, "r"), room.members.value], [[], undefined]);
  assert.deepEqual((await ada.store.load()).rooms, []);
});

test("a room that nobody looks at any more keeps only what a list needs", async () => {
  const { ada, bob, clock, server } = await together();
  const room = ada.client.room("r");
  for (let i = 1; i <= 200; i++) server.say("r", bob.account_id, `m${i}`);
  await clock.until(() => room.log.value.messages.length === 200, "all came");
  room.release();
  assert.equal(room.log.value.messages.length, 60);
  assert.equal(room.log.value.has_older, true);
  server.say("r", bob.account_id, "m201");
  await clock.until(() => ada.client.rooms.value.get("r")?.unread === 201, "it is still followed");
  await clock.pass(1_000);
  const again = ada.client.room("r");
  assert.notEqual(again, room);
  await clock.pass(1_000);
  assert.equal(again.log.value.messages.at(-1)?.seq, 201);
  assert.ok(again.log.value.messages.length > 100, "what is kept joins again");
});

test("a cookie of another sign-in is none of this one", async () => {
  const { world, ada, clock, server } = await together();
  const other = await world.person("eve");
  await world.signIn(other.client, "eve");
  ada.profile.cookie = other.profile.cookie;
  server.expire();
  await assert.rejects(world.done(ada.client.api.ask("readMe", {})), { code: "unauthorized" });
  await clock.until(() => ada.client.session.value.state === "signed_out", "it is over");
});

test("a cookie that is gone ends the sign-in, in a page that is open and in one that opens", async () => {
  const { world, ada, clock, server } = await together();
  ada.profile.cookie = undefined;
  server.expire();
  await assert.rejects(world.done(ada.client.api.ask("readMe", {})), { code: "unauthorized" });
  await clock.until(() => ada.client.session.value.state === "signed_out", "it is over");
  await world.signIn(ada.client, "ada");
  await clock.pass(1_000);
  world.kill(ada.profile, ada.tab);
  ada.profile.cookie = undefined;
  const again = await world.tab(ada.profile, ada.store);
  await clock.until(() => again.client.session.value.state === "signed_out", "it is over", 1_000);
  assert.deepEqual(world.faults, []);
});

test("a page that is opened before the store could forget shows nothing of who signed out", async () => {
  class Stuck extends MemoryStore {
    stuck = false;
    override clear(): Promise<void> {
      return this.stuck ? new Promise(() => undefined) : super.clear();
    }
  }
  const world = new World();
  const account_id = world.server.account("ada");
  world.server.room("r", account_id);
  const profile = new Profile();
  const store = new Stuck();
  const { client, tab } = await world.tab(profile, store);
  await world.signIn(client, "ada");
  client.room("r").send("secret");
  await world.clock.pass(5_000);
  assert.equal((await store.messages("r")).length, 1);
  store.stuck = true;
  void client.signOut();
  await world.clock.until(() => client.session.value.state === "signed_out", "signed out");
  world.kill(profile, tab);
  world.server.away = true;
  store.stuck = false;
  const again = await world.tab(profile, store);
  assert.deepEqual([again.client.session.value, again.client.rooms.value.size], [{ state: "signed_out" }, 0]);
  await world.clock.pass(1_000);
  assert.equal((await store.load()).disowned, undefined, "it is forgotten now");
  assert.deepEqual(await store.messages("r"), []);
  world.server.away = false;
  await world.signIn(again.client, "ada");
  assert.equal((await store.load()).session?.handle, "ada");
});

test("who signs out without a server stays signed out when it is back", async () => {
  const { world, ada, clock, server } = await together();
  server.away = true;
  server.cutAll();
  await clock.until(() => ada.client.connection.value.state === "waiting", "it waits");
  await assert.rejects(world.done(ada.client.signOut()), { code: "unreachable" });
  assert.equal(ada.client.session.value.state, "signed_in");
  ada.client.connect();
  await world.done(ada.client.signOut(true));
  server.away = false;
  await clock.pass(120_000);
  assert.deepEqual(ada.client.connection.value, { state: "stopped" });
  assert.equal([...server.sessions].some((each) => each.account_id === ada.account_id), false);
});

test("a client that is closed while it connects opens nothing any more", async () => {
  const { world, ada, clock, server } = await together();
  server.faults = { delay: async (operation) => (operation === "refreshTokens" ? clock.sleep(2_000) : undefined) };
  server.calls.length = 0;
  server.expire();
  server.cutAll();
  const renewals = (): number => server.calls.filter((call) => call === "refreshTokens").length;
  await clock.until(() => renewals() === 2, "both renew their tokens");
  await world.done(ada.client.close());
  await clock.pass(60_000);
  assert.equal([...server.sessions].some((each) => each.account_id === ada.account_id), false);
  await assert.rejects(ada.client.room("r").edit(1, "x"), { code: "closed" });
});

test("what is watched is watched again on the next connection", async () => {
  const { ada, bob, clock, server } = await together();
  const watches = (): number => server.frames.filter((frame) => frame.type === "presence.watch").length;
  ada.client.watch({ accounts: [bob.account_id] });
  ada.client.setPresence("away");
  await clock.until(() => watches() === 1, "it is watched");
  server.cutAll();
  await clock.until(() => watches() === 2, "it is watched again");
  await clock.pass(1_000);
  assert.equal(watches(), 2);
  assert.equal(server.frames.filter((frame) => frame.type === "presence.set").length, 2, "away, on both");
});

test("rooms come and go", async () => {
  const { ada, clock, server } = await together();
  server.room("new", ada.account_id);
  await clock.until(() => ada.client.rooms.value.has("new"), "it is added");
  const removed: string[] = [];
  ada.client.room("new").updates((update) => update.kind === "removed" && removed.push(update.reason));
  server.leave("new", ada.account_id);
  await clock.until(() => !ada.client.rooms.value.has("new"), "it is removed");
  assert.deepEqual(removed, ["removed"]);
  await clock.pass(1_000);
  assert.deepEqual((await ada.store.load()).rooms.map((each) => each.room_id), ["r"]);
});

test("names, members and presence are asked for", async () => {
  const { world, ada, bob, clock, server } = await together();
  assert.equal(ada.client.person(bob.account_id), undefined);
  await clock.until(() => ada.client.people.value.has(bob.account_id), "the name is known");
  assert.equal(ada.client.person(bob.account_id)?.display_name, "BOB");
  const members = await world.done(ada.client.room("r").loadMembers());
  assert.equal(members.size, 2);
  const eve = server.account("eve");
  server.join("r", eve);
  await clock.until(() => ada.client.room("r").members.value?.has(eve) ?? false, "the new member is known");
  const stop = ada.client.watch({ accounts: [bob.account_id] });
  await clock.until(() => ada.client.presence.value.get(bob.account_id)?.status === "online", "who is there");
  stop();
  await clock.pass(100);
  const last = server.frames.findLast((frame) => frame.type === "presence.watch");
  assert.deepEqual(last?.type === "presence.watch" && last.accounts, []);
});

test("how far the server's clock is ahead is known, and stays known without a connection", async () => {
  const { ada, clock, server } = await together();
  const { connection } = ada.client;
  assert.equal(connection.value.server_ahead_ms, undefined);
  server.ahead = 3_600_000;
  server.goodbye(4000, true);
  await clock.until(() => connection.value.server_ahead_ms === 3_600_000, "it is told by the next welcome");
  server.goodbye(4409, false);
  await clock.until(() => connection.value.state === "stopped", "it stops");
  assert.equal(connection.value.server_ahead_ms, 3_600_000);
});

test("a page that no server gives fails also where the store says nothing", async () => {
  const { world, ada, server } = await together();
  ada.store.messages = () => new Promise(() => {});
  server.away = true;
  await assert.rejects(world.done(ada.client.room("r").history()), { code: "unreachable" });
});

test("a displaced client stops, and comes back when the person wants it", async () => {
  const { ada, clock, server } = await together();
  server.goodbye(4409, false);
  await clock.until(() => ada.client.connection.value.state === "stopped", "it stops");
  assert.equal(ada.client.session.value.state, "signed_in");
  const room = ada.client.room("r");
  room.send("kept");
  await clock.pass(60_000);
  assert.equal(room.pending.value[0]?.state, "waiting");
  ada.client.connect();
  await clock.until(() => bodies(ada.client, "r").length === 1, "it is sent");
});

test("of a seat a displaced client knows no more than the next connection tells", async () => {
  const { ada, clock, server } = await together();
  const seat = () => ada.client.rooms.value.get("r")?.seat;
  server.tell(ada.account_id, { type: "seat.inside", room_id: "r", inside: 1, capacity: 2 });
  await clock.until(() => seat() !== undefined, "it is told");
  server.goodbye(4409, false);
  await clock.until(() => ada.client.connection.value.state === "stopped", "it stops");
  ada.client.connect();
  await clock.until(() => seat() === undefined, "it is lost", 10_000);
});

test("who is in a room again has no seat of before", async () => {
  const { ada, clock, server } = await together();
  server.tell(ada.account_id, { type: "seat.inside", room_id: "r", inside: 1, capacity: 2 });
  await clock.until(() => ada.client.rooms.value.get("r")?.seat !== undefined, "it is told");
  server.leave("r", ada.account_id);
  await clock.until(() => !ada.client.rooms.value.has("r"), "it is removed");
  server.join("r", ada.account_id);
  await clock.until(() => ada.client.rooms.value.has("r"), "it is added");
  assert.equal(ada.client.rooms.value.get("r")?.seat, undefined);
});

test("who is not named in the answer to a watch is not seen any more", async () => {
  const { ada, bob, clock, server } = await together();
  ada.client.watch({ rooms: ["r"] });
  await clock.pass(100);
  server.tell(ada.account_id, { type: "presence", account_id: bob.account_id, status: "online" });
  await clock.until(() => ada.client.presence.value.get(bob.account_id)?.status === "online", "he is there");
  server.cutAll();
  await clock.until(() => ada.client.connection.value.state === "waiting", "it is lost");
  await clock.until(() => ada.client.connection.value.state === "live" && ada.client.presence.value.size === 0, "he is not", 5_000);
});

test("what is read on each connection is read less and less often while it fails, and not again where it is refused", async () => {
  for (const [fault, most] of [["unavailable", 12], ["forbidden", 1]] as const) {
    const world = new World();
    const { clock, server } = world;
    await world.signIn((await world.person("ada")).client, "ada");
    server.faults = { http: (operation) => (operation === "listInvitations" ? fault : undefined) };
    server.calls.length = 0;
    server.cutAll();
    await clock.until(() => server.calls.includes("listInvitations"), "it is read");
    await clock.pass(120_000);
    const calls = server.calls.filter((call) => call === "listInvitations").length;
    assert.ok(calls <= most, `${fault}: ${calls}`);
  }
});

test("what one says of oneself is told, or fails where nobody would hear it", async () => {
  const { world, ada, clock, server } = await together();
  const told = () => server.frames.flatMap((frame) => (frame.type === "presence.set" && frame.text !== undefined ? [frame.text] : []));
  await world.done(ada.client.setPresence("online", "at lunch"));
  await clock.until(() => told().join() === "at lunch", "it is told");
  server.away = true;
  server.cutAll();
  await clock.until(() => ada.client.connection.value.state === "waiting", "it is lost");
  await assert.rejects(world.done(ada.client.setPresence("online", "back")), { code: "unreachable" });
  await world.done(ada.client.setPresence("away"));
  assert.deepEqual(told(), ["at lunch"]);
});
