import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfabError, type RoomState, type RoomView } from "@confab/client";
import type { VNode } from "preact";
import { Composer } from "../src/compose/Composer.tsx";
import { Conversation } from "../src/conversation/conversation.ts";
import { isWritable, SealedBar, sealedCount, sealedFrom } from "../src/conversation/Sealed.tsx";
import { faultText } from "../src/session/faults.ts";

type Drawn = VNode<Record<string, unknown> & { text?: string }>;

const room = (more: object) => ({ room_id: "r", type: "group", seq: 7, ...more }) as RoomState["room"];
const sealed = room({ encryption: { suite: "olm1", from_seq: 5, from_rev: 6 } });

test("what is sealed is counted from the sealing on", () => {
  assert.equal(sealedFrom(room({})), Infinity);
  assert.equal(sealedFrom(sealed), 5);
  assert.deepEqual([sealedCount(room({})), sealedCount(sealed), sealedCount({ ...sealed, seq: 4 })], [0, 3, 0]);
});

test("nobody writes here in a sealed room, nor in an archived one", () => {
  assert.deepEqual([room({}), sealed, room({ archived_at: 1 })].map(isWritable), [true, false, false]);
});

test("what cannot be read stands below what can, and only where there is some", () => {
  assert.equal(SealedBar({ room: { ...sealed, seq: 4 } }), null);
  const [, words] = [SealedBar({ room: sealed })!.props.children].flat() as [Drawn, Drawn];
  assert.equal(words.props["children"], "3 sealed messages. They do not show here.");
});

test("in place of the composer stands who can read and write", () => {
  const composer = Object.create(Composer.prototype) as { render(props: object, state: object): Drawn };
  assert.match(composer.render({ state: { room: sealed }, title: "Tea", conversation: {} }, {}).props.text!, /is sealed.*cannot yet/);
  assert.match(faultText(new ConfabError({ code: "encrypted", message: "m", retryable: false })), /is sealed/);
});

test("a room opens at its end where only sealed messages are unread, and these stay so", async () => {
  const still = (value: unknown) => ({ value, subscribe: () => () => undefined });
  const read: number[] = [];
  const asked: unknown[] = [];
  const state = { room: sealed, read_seq: 4, unread: 3 };
  const page = { messages: [4].map((seq) => ({ seq, sender_id: "a", client_id: "c", ts: 1, body: "m" })), has_older: false, has_newer: false };
  const view = {
    room_id: "r",
    state: still(state),
    pending: still([]),
    receipts: still({}),
    markers: still(new Map()),
    members: still(undefined),
    edits: still(new Map()),
    log: still({ messages: [] }),
    updates: () => () => undefined,
    release: () => undefined,
    read: (seq: number) => read.push(seq),
    history: async (query: unknown) => (asked.push(query), page),
  } as unknown as RoomView;
  const c = new Conversation(view, "me", { onSaid: () => undefined, onRemoved: () => undefined });
  await c.open();
  assert.deepEqual([c.goal.value, c.news.value], [{ kind: "end" }, undefined]);
  c.goalReached();
  c.looked({ first: 4, last: 4, end: true, dividerAbove: false }, true);
  assert.deepEqual(read, []);
  assert.deepEqual(asked, [{ limit: 60 }]);
});
