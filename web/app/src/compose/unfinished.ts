import type { Line } from "../log/types.ts";
import { forgets } from "../session/forget.ts";
import { selfId } from "../session/state.ts";
import { keep, kept, UNFINISHED } from "../shell/kept.ts";

/** What was begun in a room beside its draft: to which message one replies, which one is edited, and how. */
export interface Unfinished {
  replying?: Line | undefined;
  editing?: Line | undefined;
  text?: string;
}

let rooms: Map<string, Unfinished> | undefined;

forgets((forGood) => {
  rooms = undefined;
  if (forGood) keep(UNFINISHED, null, "session");
});

/** As this tab had it before a reload, where it was the same account's. */
function all(): Map<string, Unfinished> {
  if (rooms) return rooms;
  try {
    const { account, begun } = JSON.parse(kept(UNFINISHED, "session") ?? "{}");
    if (account === selfId()) rooms = new Map(begun);
  } catch {
    // Nothing that can be read is kept.
  }
  return (rooms ??= new Map());
}

export function unfinished(room: string): Unfinished {
  return all().get(room) ?? {};
}

/** Changes some of it; it is there again when one comes back to the room, and after a reload. */
export function begin(room: string, changes: Unfinished): void {
  const now = { ...unfinished(room), ...changes };
  if (!now.editing) delete now.text; // that of a reply is the room's draft
  if (now.replying || now.editing) all().set(room, now);
  else all().delete(room);
  keep(UNFINISHED, all().size > 0 ? JSON.stringify({ account: selfId(), begun: [...all()] }) : null, "session");
}

/** Whether there is any of it in this tab. */
export function isUnfinished(): boolean {
  return all().size > 0;
}
