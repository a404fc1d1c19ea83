import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfabError, type Room, type RoomState } from "@confab/client";
import { isOutside, isShut, outsideText, waitText } from "../src/conversation/Seat.tsx";
import { again } from "../src/details/again.ts";
import { placeText } from "../src/shell/title.ts";

const inside: RoomState["seat"] = { kind: "seat_inside", room_id: "r", inside: 1, capacity: 2 };
const waiting: RoomState["seat"] = { kind: "seat_waiting", room_id: "r", position: 3, ahead: 2, waiting: 12, place: "p" };
const room = (more: object) => ({ room_id: "r", type: "group", ...more }) as unknown as Room;

test("one is outside of a room with a capacity until one has a seat", () => {
  assert.equal(isOutside({ room: room({}) }), false);
  assert.equal(isOutside({ room: room({ capacity: 2 }) }), true);
  assert.equal(isOutside({ room: room({ capacity: 2 }), seat: waiting }), true);
  assert.equal(isOutside({ room: room({ capacity: 2 }), seat: inside }), false);
});

test("from outside one reads along only where the room says so", () => {
  assert.equal(isShut({ room: room({ capacity: 2 }) }), true);
  assert.equal(isShut({ room: room({ capacity: 2, read_outside: true }) }), false);
  assert.equal(isShut({ room: room({ capacity: 2 }), seat: inside }), false);
  assert.equal(isShut({ room: room({}) }), false);
});

test("an estimate is in minutes, and what nobody knows is said", () => {
  assert.match(waitText(undefined), /Nobody knows/);
  assert.match(waitText(20), /a minute/);
  assert.match(waitText(61), /2 minutes/);
});

test("who lost a seat or was refused one is told why, and who left it is not", () => {
  assert.equal(outsideText(undefined), "");
  assert.equal(outsideText({ reason: "left" }), "");
  assert.match(outsideText({ reason: "removed" }), /taken from you/);
  assert.match(outsideText({ reason: "expired" }), /not kept/);
  assert.equal(outsideText({ error: { code: "banned", message: "banned", retryable: false } }), "You may not join this room.");
});

test("the place stands in the title", () => {
  assert.equal(placeText(waiting), "3/12 · ");
  assert.equal(placeText(inside), "");
  assert.equal(placeText(undefined), "");
});

test("who is inside is read less and less often while it fails, and not again once it is refused", async () => {
  const error = (retryable: boolean, retry_after_ms?: number) =>
    new ConfabError({ code: "unavailable", message: "m", retryable, ...(retry_after_ms !== undefined && { retry_after_ms }) });
  const answers = [undefined, error(true), error(true), error(true, 60_000), undefined, error(false)];
  const pauses: number[] = [];
  const told: unknown[] = [];
  const last = answers.at(-1);
  await new Promise<void>((done) => {
    const read = async () => {
      const answer = answers.shift();
      if (answer) throw answer;
    };
    const refused = (failure: unknown) => {
      told.push(failure);
      done();
    };
    again(read, 5_000, refused, (work, ms) => {
      pauses.push(ms);
      queueMicrotask(work);
      return () => {};
    });
  });
  assert.deepEqual([pauses, told], [[5_000, 10_000, 20_000, 60_000, 5_000], [last]]);
});
