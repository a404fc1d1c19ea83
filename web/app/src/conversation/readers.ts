import { client } from "../session/state.ts";
import type { Conversation } from "./conversation.ts";

/** How many people a room has at most that shows who has read what. */
const MOST = 32;

/** Asks who has read the newest own message: what was told before a page was opened is not told again. */
export async function learnReaders(conversation: Conversation): Promise<void> {
  const room = conversation.state.value?.room;
  const seq = conversation.lastOwn()?.seq;
  if (!room?.receipts || room.type === "direct" || seq === undefined || conversation.readers.value?.seq === seq) return;
  try {
    const readers = await client().api.all("listReaders", { room_id: room.room_id, seq }, MOST);
    conversation.readers.value = { seq, ids: new Set(readers.map((one) => one.account_id)) };
  } catch {
    // Whoever reads from now on is told.
  }
}

/** How many others have read an own message, as far as it is known. */
export function countReaders(conversation: Conversation, seq: number, self: string): number {
  const asked = conversation.readers.value;
  const ids = new Set(asked && asked.seq >= seq ? asked.ids : []);
  for (const one of conversation.markers.value.values()) if ((one.read_seq ?? 0) >= seq) ids.add(one.account_id);
  ids.delete(self);
  return ids.size;
}
