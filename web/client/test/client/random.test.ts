import assert from "node:assert/strict";
import { test } from "node:test";
import { applyUpdate, put } from "../../src/model/messages.ts";
import type { LogMessage, RoomUpdate } from "../../src/model/views.ts";
import { isTombstone } from "../../src/protocol/things.ts";
import { asConfabError } from "../../src/http/error.ts";
import { randomOf } from "../support/clock.ts";
import { type Tab, World } from "../support/world.ts";

/** A view as a user interface keeps one: a page, and what came since. */
class View {
  messages: readonly LogMessage[] = [];
  #opened = false;
  #asked = 0;
  readonly #tab: Tab;

  constructor(tab: Tab) {
    this.#tab = tab;
    tab.client.room("r").updates((update) => this.#take(update));
    void this.#open();
  }

  async #open(): Promise<void> {
    const mine = ++this.#asked;
    try {
      const page = await this.#tab.client.room("r").history({ limit: 200 });
      if (mine !== this.#asked) return; // a later one may have come before
      this.messages = page.messages;
      this.#opened = page.cached === undefined;
    } catch (failure) {
      if (asConfabError(failure).code === "closed") return;
    }
  }

  /** Reads the page where it could not be read yet. */
  retry(): void {
    if (!this.#opened) void this.#open();
  }

  #take(update: RoomUpdate): void {
    if (update.kind === "reset" && update.gap) {
      this.#opened = false;
      void this.#open();
    }
    if (!this.#opened) return;
    this.messages = this.messages.map((message) => applyUpdate(message, update));
    if (update.kind === "said" || update.kind === "stored") this.messages = put(this.messages, update.message);
  }
}

/** What is shown of messages. */
function shown(messages: readonly LogMessage[]): string[] {
  return messages.map((each) => `${each.seq} ${each.sender_id} ${each.client_id} ${isTombstone(each) ? "†" : each.body}`);
}

async function run(seed: number): Promise<void> {
  const random = randomOf(seed);
  const world = new World(seed + 1_000);
  const { clock, server } = world;
  const people = [await world.person("ada"), await world.person("bob")];
  const eve = server.account("eve");
  server.room("r", ...people.map((each) => each.account_id), eve);
  const tabs: { tab: Tab; view: View; who: (typeof people)[0] }[] = [];
  for (const who of people) {
    await world.signIn(who.client, who === people[0] ? "ada" : "bob");
    tabs.push({ tab: who, view: new View(who), who });
  }
  const sent: { client_id: string; sender_id: string }[] = [];
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const restless = random() < 0.5;
  server.most = pick([5, 50, 1_000]);
  server.faults = {
    cut: () => random() < 0.01,
    http: () => (random() < 0.1 ? pick(["before", "after"] as const) : undefined),
    refuse: () => (random() < 0.1 ? pick(["stored", "lost"] as const) : undefined),
    delay: () => clock.sleep(random() * 300),
  };
  const steps: [number, () => Promise<void> | void][] = [
    [30, () => void sent.push({ ...spoken(pick(tabs)) })],
    [20, () => void server.say("r", eve, `e${sent.length}`)],
    [5, () => void tryTo(() => server.edit("r", 1 + Math.floor(random() * 10), eve, `E${random()}`))],
    [3, () => void tryTo(() => server.delete("r", 1 + Math.floor(random() * 10), eve))],
    [4, () => void pick(tabs).tab.client.room("r").edit(1 + Math.floor(random() * 10), `x${random()}`).catch(() => undefined)],
    [3, () => server.cutAll(pick([1006, 4000, 4001]))],
    [1, () => server.expire()],
    [2, () => void (server.away = random() < 0.5)],
    [3, () => pick(tabs).tab.client.room("r").read(server.rooms.get("r")!.room.seq)],
    [restless ? 3 : 0, () => opened()],
    [restless ? 3 : 0, () => closed()],
  ];
  const spoken = ({ tab, who }: (typeof tabs)[0]) => {
    const { client_id } = tab.client.room("r").send(`m${sent.length}`);
    return { client_id, sender_id: who.account_id };
  };
  const opened = async (): Promise<void> => {
    const who = pick(people);
    const tab = await world.tab(who.profile, who.store);
    tabs.push({ tab, view: new View(tab), who });
  };
  const closed = async (): Promise<void> => {
    const gone = pick(tabs);
    // what a tab was told a moment ago may be with nobody else: the person sees that it was not sent
    await clock.pass(50);
    if (tabs.filter((each) => each.who === gone.who).length === 1) return;
    tabs.splice(tabs.indexOf(gone), 1);
    world.kill(gone.who.profile, gone.tab.tab);
  };
  for (let step = 0; step < 150; step++) {
    let choice = random() * steps.reduce((sum, [weight]) => sum + weight, 0);
    const [, work] = steps.find(([weight]) => (choice -= weight) < 0) ?? steps[0]!;
    await work();
    await clock.pass(random() < 0.3 ? random() * 2_000 : random() * 20);
    for (const { view } of tabs) view.retry();
  }
  server.faults = {};
  server.away = false;
  for (const { tab } of tabs) tab.client.connect();
  await clock.pass(70_000);
  for (const { view } of tabs) view.retry();
  await clock.pass(1_000);

  const { messages, room } = server.rooms.get("r")!;
  for (const { client_id, sender_id } of sent) {
    const copies = messages.filter((each) => each.client_id === client_id && each.sender_id === sender_id);
    assert.equal(copies.length, 1, `${client_id} is stored once`);
  }
  for (const { tab, view, who } of tabs) {
    const { client } = tab;
    assert.equal(client.connection.value.state, "live", "each is live again");
    const log = client.room("r").log.value.messages;
    assert.deepEqual(shown(log), shown(messages.slice(-log.length)), `the log of ${tab.tab} is the server's`);
    assert.ok(log.every((each) => each.provisional === undefined));
    assert.deepEqual(shown(view.messages), shown(messages.slice(-view.messages.length)), `so is the view of ${tab.tab}`);
    assert.ok(view.messages.length >= Math.min(messages.length, 5));
    assert.deepEqual(client.room("r").pending.value, []);
    assert.equal(client.room("r").edits.value.size, 0);
    const read = client.rooms.value.get("r")!;
    const unread = messages.filter((each) => each.seq > read.read_seq && each.sender_id !== who.account_id && !isTombstone(each));
    assert.equal(read.unread, unread.length, "what is unread is counted");
    assert.equal(read.room.seq, room.seq);
  }
  for (const { store, account_id } of people) {
    const kept = await store.load();
    assert.deepEqual(kept.sends, []);
    const { log, position } = kept.rooms.find((each) => each.room_id === "r")!;
    const cached = await store.messages("r");
    assert.deepEqual(shown(cached), shown(messages.slice(-cached.length)), `what ${account_id} keeps is the server's`);
    if (log) assert.deepEqual([log.from, log.to, position?.seq], [cached[0]?.seq, cached.at(-1)?.seq, room.seq]);
  }
  assert.deepEqual(world.faults, []);
}

function tryTo(work: () => unknown): void {
  try {
    work();
  } catch {
    // there is nothing to be changed
  }
}

const SEEDS = Number(process.env["SEEDS"] ?? 20);
const FIRST = Number(process.env["SEED"] ?? 1);
for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
  test(`logs are the same after faults at random, seed ${seed}`, () => run(seed));
}
