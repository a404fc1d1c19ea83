import type { RoomState } from "@confab/client";
import type { Mentioned } from "../body/parse.ts";
import type { LogProps } from "../log/Log.tsx";
import { Message, type MessageActs } from "../log/Message.tsx";
import type { Line, State } from "../log/types.ts";
import { nameOf, people, personOf, selfId } from "../session/state.ts";
import type { Conversation } from "./conversation.ts";
import { countReaders } from "./readers.ts";
import { isWritable } from "./Sealed.tsx";

/** How a row becomes a message; every property is the same value until something about it changes. */
export function rowsDrawn(c: Conversation, state: RoomState, active: string | undefined, acts: MessageActs, lang: string): LogProps["message"] {
  const self = selfId();
  const known = people.value;
  const found = c.found.value;
  const receipts = c.receipts.value;
  const writable = isWritable(state.room);
  let seenSeq: number | undefined;
  let seenBy = 0;
  if (state.room.receipts && state.room.type !== "direct") {
    seenSeq = c.lastOwn()?.seq;
    if (seenSeq !== undefined) seenBy = countReaders(c, seenSeq, self);
  }
  return ({ message: line, first }) => {
    const own = line.sender_id === self;
    const quoted = line.reply_to === undefined ? undefined : c.quoted(line.reply_to);
    return (
      <Message
        key={line.key}
        line={line}
        first={first}
        own={own}
        sender={known.get(line.sender_id) ?? personOfCached(line.sender_id)}
        state={own ? stateOf(line, state.room.receipts, receipts) : undefined}
        quoted={quoted}
        quotedName={quoted && nameOf(quoted.sender_id)}
        deletedBy={line.deleted_by !== undefined && line.deleted_by !== line.sender_id ? nameOf(line.deleted_by) : undefined}
        mentioned={mentionedIn(line, self)}
        mentionsMe={!own && line.mentions !== undefined && line.mentions.some((who) => who === self || who.startsWith("@"))}
        found={line.seq !== undefined && line.seq === found}
        active={line.key === active}
        canEdit={own && writable}
        canReply={writable}
        seenBy={line.seq !== undefined && line.seq === seenSeq ? seenBy : 0}
        acts={acts}
        lang={lang}
      />
    );
  };
}

const unknown = new Map<string, ReturnType<typeof personOf>>();

/** The same object for the same unknown one, so that its messages are not drawn anew for nothing. */
function personOfCached(id: string): ReturnType<typeof personOf> {
  const person = personOf(id);
  if (person.handle !== "") return person;
  let known = unknown.get(id);
  if (!known) unknown.set(id, (known = person));
  return known;
}

function stateOf(line: Line, receipts: boolean, acked: { delivered_seq: number; read_seq: number }): State {
  if (line.seq === undefined) return line.state ?? "sending";
  if (!receipts) return "sent";
  if (line.seq <= acked.read_seq) return "read";
  return line.seq <= acked.delivered_seq ? "delivered" : "sent";
}

const mentionedLines = new WeakMap<Line, { of: unknown; mentioned: Mentioned }>();

function mentionedIn(line: Line, self: string): Mentioned | undefined {
  if (!line.mentions || line.body === undefined) return undefined;
  const kept = mentionedLines.get(line);
  if (kept && kept.of === people.value) return kept.mentioned;
  const handles = new Map<string, string>();
  for (const who of line.mentions) {
    if (who.startsWith("@")) handles.set(who.slice(1), who);
    else {
      const { handle } = personOf(who);
      if (handle !== "") handles.set(handle, who);
    }
  }
  const same = kept && kept.mentioned.handles.size === handles.size && [...handles].every(([h, id]) => kept.mentioned.handles.get(h) === id);
  const mentioned = same ? kept.mentioned : { handles, self };
  mentionedLines.set(line, { of: people.value, mentioned });
  return mentioned;
}
