import { isTombstone, messageKey, type Message, type PendingSend } from "@confab/client";
import type { Line } from "../log/types.ts";

/** A line that the server has confirmed. */
export type Held = Line & { seq: number };

/** A message as a line. */
export function heldLine(message: Message, self: string): Held {
  const { seq, sender_id, client_id, ts, reply_to, topic, mentions, edited_at } = message;
  const line: Held = { key: messageKey(message, self), seq, sender_id, client_id, ts };
  if (reply_to !== undefined) line.reply_to = reply_to;
  if (topic !== undefined) line.topic = topic;
  if (mentions !== undefined) line.mentions = mentions;
  if (edited_at !== undefined) line.edited_at = edited_at;
  if (isTombstone(message)) {
    line.deleted_at = message.deleted_at;
    line.deleted_by = message.deleted_by;
  } else line.body = message.body;
  return line;
}

const pendingLines = new WeakMap<PendingSend, Line>();

/** The same line for the same send, so that nothing is drawn twice. */
export function pendingLine(send: PendingSend, self: string): Line {
  let line = pendingLines.get(send);
  if (!line) {
    line = {
      key: messageKey(send, self),
      sender_id: self,
      client_id: send.client_id,
      ts: send.made_at,
      body: send.body,
      reply_to: send.reply_to,
      topic: send.topic,
      state: send.state === "failed" ? "failed" : "sending",
      fault: send.error,
    };
    if (send.state === "waiting") line.retryAt = send.retry_at;
    pendingLines.set(send, line);
  }
  return line;
}
