import type { ErrorInfo } from "../model/views.ts";
import type { Limits, MessageSend } from "../protocol/frames.ts";
import type { Outgoing } from "./output.ts";

/** The limits before a server has named its own. */
export const USUAL_LIMITS: Pick<Limits, "body_bytes" | "frame_bytes"> = { body_bytes: 16_384, frame_bytes: 65_536 };

const utf8 = new TextEncoder();

/** The frame that sends a message. */
export function sendFrame(message: Outgoing): MessageSend {
  const { room_id, client_id, body, reply_to, topic } = message;
  return {
    type: "message.send",
    id: client_id,
    room_id,
    client_id,
    body,
    ...(reply_to !== undefined && { reply_to }),
    ...(topic !== undefined && { topic }),
  };
}

/**
 * Why a message must not be written on a socket: a frame that is too long ends the connection for good,
 * and half a surrogate pair would arrive as something else.
 */
export function objection(message: Outgoing, limits: Pick<Limits, "body_bytes" | "frame_bytes">): ErrorInfo | undefined {
  if (holdsHalfPair(message.body)) return halfPair("body");
  if (message.topic !== undefined && holdsHalfPair(message.topic)) return halfPair("topic");
  if (bytes(message.body) > limits.body_bytes) return tooLarge(`at most ${limits.body_bytes} bytes`, "body");
  return bytes(JSON.stringify(sendFrame(message))) > limits.frame_bytes
    ? tooLarge(`at most ${limits.frame_bytes} bytes as JSON`)
    : undefined;
}

function holdsHalfPair(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

function halfPair(field: string): ErrorInfo {
  return { code: "invalid_field", field, message: "holds half a surrogate pair", retryable: false };
}

function tooLarge(message: string, field?: string): ErrorInfo {
  return { code: "too_large", message, retryable: false, ...(field !== undefined && { field }) };
}

/** Of UTF-8. */
export function bytes(text: string): number {
  return utf8.encode(text).length;
}
