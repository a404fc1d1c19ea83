import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServerFrame } from "../../src/protocol/frames.ts";
import type { Output } from "../../src/rules/output.ts";
import { Rules } from "../../src/rules/rules.ts";

/** Rules with a connection that takes sends. */
function connected() {
  const rules = new Rules({ random: () => 0.5 });
  let now = 0;
  const take = (input: Parameters<Rules["take"]>[0], at = now): Output[] => rules.take(input, (now = at));
  const hear = (frame: unknown): Output[] => take({ kind: "frame", frame: frame as ServerFrame });
  take({ kind: "connect" });
  take({ kind: "opened" });
  hear({
    type: "welcome",
    account_id: "a",
    server_time: 0,
    limits: { frame_bytes: 65_536, body_bytes: 16_384, requests: 256, rooms: 1_000 },
    rooms: [{ room_id: "r", epoch: 1, seq: 0, rev: 0, read_seq: 0, receipts: true }],
  });
  hear({ type: "resumed", re: "resume-1", rooms: [] });
  return { rules, take, hear };
}

const send = (client_id: string, room_id = "r") => ({ kind: "send", message: { room_id, client_id, body: "b" } }) as const;
const frames = (outputs: readonly Output[]) => outputs.flatMap((output) => (output.kind === "frame" ? [output.frame] : []));

test("a send that is given twice is sent once", () => {
  const { take } = connected();
  assert.equal(frames(take(send("1"))).length, 1);
  assert.equal(frames(take(send("1"))).length, 0);
});

test("a send that is given up is not tried again, and lets those after it go", () => {
  const { take, hear } = connected();
  take(send("1"));
  hear({ type: "error", re: "1", client_id: "1", code: "slow_mode", message: "m", retryable: true, retry_after_ms: 30_000 });
  assert.equal(frames(take(send("2"))).length, 0, "it waits for the one before");
  assert.deepEqual(frames(take({ kind: "discard", client_id: "1" })).map((frame) => frame.id), ["2"]);
  assert.deepEqual(take({ kind: "tick" }, 31_000).filter((output) => output.kind === "failed"), []);
});

test("frames that this version does not know, and those of rooms that are not followed, do nothing", () => {
  const { hear } = connected();
  assert.deepEqual(hear({ type: "sparkle", room_id: "r" }), []);
  assert.deepEqual(hear({ type: "message.receive", room_id: "x", seq: 1, rev: 1, epoch: 1, sender_id: "b" }), []);
});

test("no more sends wait than the limit says", () => {
  const { take } = connected();
  const outputs: Output[] = [];
  for (let at = 0; at < 3_000; at++) outputs.push(...take(send(`c${at}`, `r${at}`)));
  const refused = outputs.flatMap((output) => (output.kind === "failed" ? [output.error.code] : []));
  assert.deepEqual([refused.length, new Set(refused)], [2_000, new Set(["queue_full"])]);
});

test("a read that fails is made again after longer and longer, and not before the server allows it", () => {
  const { take, hear } = connected();
  const asked = (outputs: readonly Output[]) => outputs.find((output) => output.kind === "read_events");
  const error = { code: "rate_limited", message: "m", retryable: true } as const;
  let ask = asked(hear({ type: "message.receive", room_id: "r", seq: 2, rev: 2, epoch: 1, sender_id: "b" }));
  let now = 0;
  const pauses: number[] = [];
  for (const retry_after_ms of [undefined, undefined, undefined, 20_000, undefined, undefined, undefined]) {
    assert.ok(ask);
    take({ kind: "read_failed", ask, error: { ...error, ...(retry_after_ms !== undefined && { retry_after_ms }) } }, now);
    for (const since = now; !(ask = asked(take({ kind: "tick" }, (now += 500)))); hear({ type: "pong", ts: 0 })) assert.ok(now - since < 60_000);
    pauses.push(now);
  }
  assert.deepEqual(pauses.map((at, i) => at - (pauses[i - 1] ?? 0)), [1_000, 2_000, 4_000, 20_000, 16_000, 30_000, 30_000]);
});
