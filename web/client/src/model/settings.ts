import type { ChangedSettings, Room, RoomEvent } from "../protocol/things.ts";
import type { AccountId } from "../protocol/values.ts";

/** A room after an event that comes after the room's rev. */
export function changedRoom(room: Room, event: RoomEvent, self: AccountId): Room {
  return { ...room, ...effect(room, event, self), rev: event.rev } as Room;
}

function effect(room: Room, event: RoomEvent, self: AccountId): Partial<Room> {
  switch (event.kind) {
    case "member.joined":
      return { member_count: room.member_count + 1, ...receipts(event) };
    case "member.left":
      return { member_count: Math.max(0, room.member_count - 1), ...receipts(event) };
    case "members":
      return { member_count: Math.max(0, room.member_count + event.joined - event.left) };
    case "member.role":
      return event.account_id === self ? { role: event.role } : {};
    case "room.changed":
      return settings(event.settings);
    case "room.archived":
      return { archived_at: event.ts };
    case "sealed":
      return { seq: Math.max(room.seq, event.seq) };
    default:
      return {};
  }
}

function receipts(event: { receipts?: boolean }): Partial<Room> {
  return event.receipts === undefined ? {} : { receipts: event.receipts };
}

/** 0 or an empty text says that there is none any more; the field is then undefined. */
function settings(changed: ChangedSettings): Partial<Room> {
  const taken = Object.entries(changed).map(([name, value]) => [name, value === 0 || value === "" ? undefined : value]);
  return Object.fromEntries(taken) as Partial<Room>;
}
