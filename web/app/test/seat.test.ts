import assert from "node:assert/strict";
import { test } from "node:test";
import type { Room, RoomState } from "@confab/client";
import { isOutside, isShut, waitText } from "../src/conversation/Seat.tsx";
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

test("the place stands in the title", () => {
  assert.equal(placeText(waiting), "3/12 · ");
  assert.equal(placeText(inside), "");
  assert.equal(placeText(undefined), "");
});
