import type { Message } from "../protocol/things.ts";
import type { Seq } from "../protocol/values.ts";
import { find, put, replaced } from "./messages.ts";
import type { LogMessage, RoomLog } from "./views.ts";

/** The most messages that a log holds; beyond it, it lets go of the oldest quarter. */
export const MOST = 400;
/** The same of a room that nobody has looked at here. */
export const MOST_UNSEEN = 60;

export const EMPTY: RoomLog = { messages: [], has_older: true, generation: 0 };

/** A message at its place. */
export function said(log: RoomLog, message: LogMessage, most: number): RoomLog {
  return cut(log, put(log.messages, message), most);
}

/** A change of a message that the log may hold. */
export function changed(log: RoomLog, seq: Seq, change: (message: LogMessage) => LogMessage): RoomLog {
  const at = find(log.messages, seq);
  if (at < 0) return log;
  const message = change(log.messages[at]!);
  return message === log.messages[at] ? log : { ...log, messages: replaced(log.messages, at, message) };
}

/** The log begins anew. */
export function begun(log: RoomLog, messages: readonly Message[], has_older: boolean, gap: boolean): RoomLog {
  return { messages, has_older, generation: log.generation + (gap ? 1 : 0) };
}

/**
 * Joins a page, if there is no hole between it and the log.
 *
 * @param newest the last message of the room that is known: where the log is empty, the page must reach it
 */
export function joined(
  log: RoomLog,
  page: { messages: readonly Message[]; has_older: boolean; has_newer: boolean },
  newest: Seq,
): RoomLog {
  const first = page.messages[0];
  const last = page.messages.at(-1);
  const settled = log.messages.filter((message) => !message.provisional);
  if (!first || !last) {
    return log.messages.length === 0 && !page.has_older && !page.has_newer && newest === 0
      ? { ...log, has_older: false }
      : log;
  }
  const from = settled[0]?.seq ?? newest + 1;
  const to = settled.at(-1)?.seq ?? newest;
  if (last.seq < from - 1 || first.seq > to + 1) return log;
  let messages = log.messages;
  for (const message of page.messages) messages = put(messages, message);
  const has_older = settled.length === 0 || first.seq < from ? page.has_older : log.has_older;
  return messages === log.messages && has_older === log.has_older ? log : cut({ ...log, has_older }, messages, MOST);
}

/** The newest messages, at most so many. */
export function shortened(log: RoomLog, most: number): RoomLog {
  return log.messages.length <= most ? log : { ...log, messages: log.messages.slice(-most), has_older: true };
}

function cut(log: RoomLog, messages: readonly LogMessage[], most: number): RoomLog {
  if (messages === log.messages) return log;
  return messages.length <= most ? { ...log, messages } : { ...log, messages: messages.slice(-most * 0.75), has_older: true };
}

/** Whether a log does not follow what was known up to a message without a hole. */
export function isBeyond(generation: number, last: Seq, after: RoomLog): boolean {
  const first = after.messages[0]?.seq;
  return (generation !== 0 && generation !== after.generation) || (first !== undefined && first > last + 1);
}
