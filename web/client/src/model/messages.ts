import type { Message, Tombstone } from "../protocol/things.ts";
import { isTombstone } from "../protocol/things.ts";
import type { AccountId, Rev, Seq, Time } from "../protocol/values.ts";
import { stateRev } from "../rules/shown.ts";
import type { LogMessage, RoomUpdate } from "./views.ts";

/** A deletion, as an event tells it. */
export interface Deletion {
  seq: Seq;
  rev: Rev;
  deleted_at: Time;
  deleted_by: AccountId;
}

/** What is left of a message after its deletion. */
export function tombstone(message: Message, deletion: Deletion): Tombstone {
  const { room_id, seq, rev, sender_id, client_id, msg_type, ts } = message;
  const { rev: changed_rev, deleted_at, deleted_by } = deletion;
  return { room_id, seq, rev, sender_id, client_id, msg_type, ts, changed_rev, deleted_at, deleted_by };
}

/** The newer one of two copies of a message. */
export function newer(mine: LogMessage, theirs: LogMessage): LogMessage {
  if (mine.provisional !== theirs.provisional) return mine.provisional ? theirs : mine;
  return stateRev(theirs) > stateRev(mine) ? theirs : mine;
}

/** A copy of a message as an update leaves it; the same object where the update is not about it, or older. */
export function applyUpdate(message: LogMessage, update: RoomUpdate): LogMessage {
  switch (update.kind) {
    case "said":
    case "stored":
    case "edited":
      return update.message.room_id === message.room_id && update.message.seq === message.seq
        ? newer(message, update.message)
        : message;
    case "deleted":
      return update.room_id === message.room_id && update.seq === message.seq && stateRev(message) < update.rev
        ? tombstone(message, update)
        : message;
    default:
      return message;
  }
}

/** Where a seq stands among messages in the order of seq, or the complement of where it would. */
export function find(messages: readonly Message[], seq: Seq): number {
  let low = 0;
  let high = messages.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = messages[middle]!.seq;
    if (at === seq) return middle;
    if (at < seq) low = middle + 1;
    else high = middle - 1;
  }
  return ~low;
}

/** Puts a message into its place; the same array where the newest copy is there already. */
export function put(messages: readonly LogMessage[], message: LogMessage): readonly LogMessage[] {
  const at = find(messages, message.seq);
  if (at < 0) return [...messages.slice(0, ~at), message, ...messages.slice(~at)];
  const kept = newer(messages[at]!, message);
  return kept === messages[at] ? messages : replaced(messages, at, kept);
}

/** The same with another message at a place. */
export function replaced(messages: readonly LogMessage[], at: number, message: LogMessage): readonly LogMessage[] {
  const copy = [...messages];
  copy[at] = message;
  return copy;
}

/** Whether a message counts as unread: somebody else's, and not deleted. */
export function counts(message: Message, self: AccountId): boolean {
  return message.sender_id !== self && !isTombstone(message);
}

/** Whether an unread message mentions the account. */
export function mentions(message: Message, self: AccountId): boolean {
  return message.mentions?.some((who) => who === self || who === "@all") ?? false;
}

/** What made a message a tombstone, as an update tells it. */
export function deletionOf(message: Tombstone): RoomUpdate {
  const { room_id, seq, deleted_at, deleted_by } = message;
  return { kind: "deleted", room_id, seq, rev: stateRev(message), deleted_at, deleted_by };
}

/** The later one of two messages, or the newer one of two copies. */
export function latest(mine: Message, theirs: Message): Message {
  if (mine.seq !== theirs.seq) return mine.seq > theirs.seq ? mine : theirs;
  return stateRev(theirs) > stateRev(mine) ? theirs : mine;
}
