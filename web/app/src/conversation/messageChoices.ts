import type { Line } from "../log/types.ts";
import type { MessageActs } from "../log/Message.tsx";
import { attempt } from "../session/faults.ts";
import { rules, selfId } from "../session/state.ts";
import { ask } from "../shell/dialogs.ts";
import { hashOf } from "../shell/route.ts";
import { t } from "../text/text.ts";
import type { Choice } from "../ui/Menu.tsx";
import { copyText } from "../ui/clipboard.ts";
import { tell } from "../ui/toast.tsx";
import type { Conversation } from "./conversation.ts";
import { isWritable } from "./Sealed.tsx";
import { undoable } from "./undoable.ts";

/** For how long a deletion can be taken back before it is told to anybody. */
const UNDO_MS = 5000;

/** What may be done with a message. */
export function messageChoices(c: Conversation, line: Line, acts: MessageActs): Choice[] {
  const own = line.sender_id === selfId();
  if (line.seq === undefined) return [{ label: t("message.discard"), icon: "trash", danger: true, act: () => acts.discard(line) }];
  const { seq } = line;
  const room = c.state.value?.room;
  const open = room?.archived_at === undefined;
  const writable = room === undefined || isWritable(room);
  const standing = line.deleted_at === undefined;
  const choices: Choice[] = [];
  if (standing) {
    if (writable) choices.push({ label: t("message.reply"), icon: "reply", act: () => acts.reply(line) });
    if (own && writable) choices.push({ label: t("message.edit"), icon: "edit", act: () => acts.edit(line) });
    choices.push({ label: t("message.copy"), icon: "copy", act: () => void copy(line.body ?? "") });
  }
  const link = location.origin + location.pathname + hashOf({ name: "room", room: c.room_id, seq });
  choices.push({ label: t("message.link"), icon: "link", act: () => void copy(link) });
  choices.push({ label: t("message.markUnread"), icon: "unread", act: () => void attempt(() => c.markUnread(seq)) });
  if (standing) {
    choices.push({ label: t("message.readers"), icon: "check", act: () => acts.readers(line) });
    if (line.edited_at !== undefined) choices.push({ label: t("message.versions"), icon: "info", act: () => acts.versions(line) });
    if (open && (own || rules(room))) choices.push({ label: t("message.delete"), icon: "trash", danger: true, act: () => void remove(c, seq, own) });
  }
  return choices;
}

/** Deletes a message: gone here at once, and for others when it can no longer be undone. */
async function remove(c: Conversation, seq: number, own: boolean): Promise<void> {
  if (!own && (await ask({ text: t("message.deleteAsk"), does: t("message.delete"), danger: true })) === undefined) return;
  c.deleting.value = new Set(c.deleting.value).add(seq);
  const self = selfId();
  const undo = undoable(async (really) => {
    // nobody else's, if somebody else has signed in meanwhile
    if (really && selfId() === self) await attempt(() => c.view.delete(seq));
    const rest = new Set(c.deleting.value);
    rest.delete(seq);
    c.deleting.value = rest;
  }, UNDO_MS);
  tell(t("message.deleteSoon"), { label: t("app.undo"), act: undo }, UNDO_MS);
}

async function copy(text: string): Promise<void> {
  if (await copyText(text)) tell(t("app.copied"), undefined, 2000);
  else tell(text, undefined, 10_000);
}
