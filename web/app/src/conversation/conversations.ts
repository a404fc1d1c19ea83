import { client, rooms, selfId, titleOf } from "../session/state.ts";
import { announce } from "../shell/announce.tsx";
import { dialog, panel, question } from "../shell/dialogs.ts";
import { panelCovers } from "../shell/narrow.ts";
import { t } from "../text/text.ts";
import { tell } from "../ui/toast.tsx";
import { Conversation } from "./conversation.ts";

/** How many rooms stay as they were left, to be there at once when one returns. */
const KEPT = 8;
const kept = new Map<string, Conversation>();
let inView: string | undefined;

/** The conversation of a room; the same one while it is kept. */
export function conversationOf(room: string): Conversation {
  let conversation = kept.get(room);
  if (conversation) kept.delete(room);
  else {
    const title = () => {
      const state = rooms.value.get(room);
      return state ? titleOf(state.room) : "";
    };
    let known = title();
    conversation = new Conversation(client().room(room), selfId(), {
      onSaid: (line) => {
        known = title() || known;
        if (room === inView) announce(line);
      },
      onRemoved: (reason) => {
        if (reason === "removed" || reason === "banned" || reason === "gone") tell(t(`room.${reason}`, { room: known }), undefined, 10_000);
      },
    });
  }
  kept.set(room, conversation);
  for (const [id, old] of kept) {
    if (kept.size <= KEPT) break;
    if (id === inView) continue;
    kept.delete(id);
    old.end();
  }
  return conversation;
}

/** Which room is looked at. */
export function lookAt(room: string): void {
  if (inView !== undefined && inView !== room) kept.get(inView)?.leave();
  inView = room;
}

/** This room no longer, unless another one is looked at already. */
export function lookAway(room: string): void {
  if (inView !== room) return;
  kept.get(room)?.leave();
  inView = undefined;
}

/** The room in view, if this tab is the one that is looked at. */
export function roomInView(): string | undefined {
  return looking() ? inView : undefined;
}

export function looking(): boolean {
  return document.visibilityState === "visible" && document.hasFocus();
}

/** Whether somebody looks at the messages of the room in view, and nothing stands before them. */
export function reading(): boolean {
  const covered = dialog.value !== undefined || question.value !== undefined || (panel.value !== undefined && panelCovers.value);
  return !covered && looking();
}

export function forgetConversations(): void {
  for (const conversation of kept.values()) conversation.end();
  kept.clear();
  inView = undefined;
}
