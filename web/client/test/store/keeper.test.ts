import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfabError } from "../../src/http/error.ts";
import type { Change } from "../../src/model/change.ts";
import { Model } from "../../src/model/model.ts";
import { Keeper } from "../../src/store/keeper.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import type { Batch } from "../../src/store/store.ts";
import { Clock } from "../support/clock.ts";

function keeping(most_bytes = 1_000_000, store = new MemoryStore()) {
  const clock = new Clock();
  const model = new Model();
  const failures: unknown[] = [];
  const keeper = new Keeper(store, model, { rooms: [], sends: [], people: [] }, {
    most_bytes,
    now: () => clock.now,
    later: clock.timer,
    failed: (failure) => failures.push(failure),
  });
  const take = (...changes: Change[]): void => {
    model.apply(changes);
    keeper.note(changes);
  };
  const say = (room_id: string, seq: number, body = "hello"): void =>
    take(
      {
        kind: "update",
        update: { kind: "said", message: { room_id, seq, rev: seq, sender_id: "b", client_id: `c${seq}`, msg_type: "text", body, ts: seq } },
      },
      { kind: "positions", positions: [{ room_id, epoch: 1, seq, rev: seq }] },
    );
  return { clock, model, keeper, store, take, say, failures };
}

test("a position is never ahead of its messages, whenever the program ends", async () => {
  const { clock, store, say } = keeping();
  for (let seq = 1; seq <= 20; seq++) {
    say("r", seq);
    await clock.pass(seq % 3 === 0 ? 450 : 10);
    const room = (await store.load()).rooms[0];
    assert.deepEqual((await store.messages("r")).at(-1)?.seq, room?.position?.seq);
  }
});

test("of a room so many messages are kept", async () => {
  const { clock, store, say } = keeping();
  for (let seq = 1; seq <= 1_000; seq++) say("r", seq);
  await clock.pass(1_000);
  const kept = await store.messages("r");
  assert.ok(kept.length >= 200 && kept.length <= 300, String(kept.length));
  assert.equal(kept.at(-1)?.seq, 1_000);
  const { log } = (await store.load()).rooms[0]!;
  assert.deepEqual([log?.from, log?.to], [kept[0]?.seq, 1_000]);
});

test("what comes again from before the kept messages makes no hole", async () => {
  const { clock, store, say } = keeping();
  for (let seq = 100; seq <= 110; seq++) say("r", seq);
  say("r", 50);
  say("r", 111);
  await clock.pass(1_000);
  assert.deepEqual((await store.messages("r")).map((each) => each.seq), Array.from({ length: 12 }, (_, at) => 100 + at));
});

test("a message that does not follow on the kept ones takes their place", async () => {
  const { clock, store, say } = keeping();
  say("r", 1);
  await clock.pass(1_000);
  say("r", 5);
  await clock.pass(1_000);
  assert.deepEqual((await store.messages("r")).map((each) => each.seq), [5]);
});

test("beyond the bound goes what was opened longest ago", async () => {
  const { clock, store, say, take } = keeping(100_000);
  const used = (room_id: string): void => take({ kind: "read", room_id, seq: 1 });
  for (const room_id of ["old", "new"]) {
    for (let seq = 1; seq <= 20; seq++) say(room_id, seq, "x".repeat(1_000));
    used(room_id);
    await clock.pass(1_000);
  }
  assert.equal((await store.messages("old")).length, 20);
  for (let seq = 21; seq <= 40; seq++) say("new", seq, "x".repeat(1_000));
  await clock.pass(1_000);
  assert.deepEqual(await store.messages("old"), []);
  assert.equal((await store.load()).rooms.find((room) => room.room_id === "old")?.log, undefined);
  assert.equal((await store.messages("new")).length, 40);
});

test("sends are kept at once, in their order, and forgotten when they are settled", async () => {
  const { keeper, store, take } = keeping();
  const send = (client_id: string) => ({ client_id, room_id: "r", body: "b", made_at: 1, state: "waiting" }) as const;
  take({ kind: "pending", send: send("2") }, { kind: "pending", send: send("1") });
  await keeper.flush();
  assert.deepEqual((await store.load()).sends.map((each) => each.client_id), ["2", "1"]);
  take({ kind: "pending", send: { ...send("2"), state: "failed" } });
  take({ kind: "stored", stored: { kind: "stored", room_id: "r", client_id: "1", seq: 1, rev: 1, ts: 1 } });
  await keeper.flush();
  assert.deepEqual((await store.load()).sends.map((each) => [each.client_id, each.state]), [["2", "failed"]]);
});

test("a write that fails, or never ends, does not keep later ones from being tried", async () => {
  class Bad extends MemoryStore {
    answers: (() => Promise<void>)[] = [];
    override write(batch: Batch): Promise<void> {
      return this.answers.shift()?.() ?? super.write(batch);
    }
  }
  const store = new Bad();
  const never = (): Promise<void> => new Promise(() => undefined);
  const fails = (): Promise<void> => Promise.reject(new Error("no"));
  store.answers = [never, never, fails, fails];
  const { clock, take, failures } = keeping(1_000_000, store);
  const send = (client_id: string): void =>
    take({ kind: "pending", send: { client_id, room_id: "r", body: "b", made_at: 1, state: "waiting" } });
  for (const client_id of ["1", "2", "3"]) {
    send(client_id);
    await clock.pass(30_000);
  }
  assert.deepEqual((await store.load()).sends.map((each) => each.client_id), ["3"]);
  assert.equal(failures.length, 2);
});

test("where there is no room, messages go before sends and positions do", async () => {
  class Full extends MemoryStore {
    override write(batch: Batch): Promise<void> {
      if ((batch.messages?.length ?? 0) > 0) {
        return Promise.reject(new ConfabError({ code: "not_kept", message: "QuotaExceededError", retryable: false }));
      }
      return super.write(batch);
    }
  }
  const { clock, keeper, store, say, take, failures } = keeping(1_000_000, new Full());
  say("r", 1);
  take({ kind: "pending", send: { client_id: "1", room_id: "r", body: "b", made_at: 1, state: "waiting" } });
  await keeper.flush();
  await clock.pass(1_000);
  const kept = await store.load();
  assert.equal(kept.sends.length, 1);
  assert.equal(kept.rooms[0]?.position?.seq, 1);
  assert.equal(kept.rooms[0]?.log, undefined);
  assert.deepEqual(failures, []);
});
