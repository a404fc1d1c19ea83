import type { PendingSend } from "@confab/client";

/** What may not be in a body: control characters but newline and tab, and halves of surrogate pairs. */
const REFUSED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A text as the server takes it, or nothing where nothing is left to see. */
export function bodyOf(text: string): string | undefined {
  const body = text.replace(/\r\n?/g, "\n").replace(REFUSED, "").replace(LONE, "").replace(/^\n+|\s+$/g, "");
  return body.trim() === "" ? undefined : body;
}

export const BODY_BYTES = 16_384;

/** By how many bytes of UTF-8 a body is too long. */
export function excess(body: string): number {
  return body.length * 3 <= BODY_BYTES ? 0 : Math.max(0, new TextEncoder().encode(body).length - BODY_BYTES);
}

/** Until when the server takes nothing more of what waits to be sent. */
export function limitedUntil(pending: readonly PendingSend[]): number {
  const limits = pending.filter(({ state, error }) => state === "waiting" && (error?.code === "rate_limited" || error?.code === "slow_mode"));
  return Math.max(0, ...limits.map((send) => send.retry_at ?? 0));
}

/** Until when slow mode keeps a member from sending. */
export function slowUntil(slow_mode_s: number | undefined, role: string | undefined, lastSent: number | undefined): number {
  return slow_mode_s && role === "member" && lastSent !== undefined ? lastSent + slow_mode_s * 1000 : 0;
}

/** What a selection becomes on which an address is pasted; nothing where the address takes its place. */
export function linked(selected: string, pasted: string): string | undefined {
  const address = pasted.trim();
  const isAddress = (text: string) => /^https?:\/\/[^\s<>"]+$/i.test(text);
  if (selected.trim() === "" || selected.includes("\n") || !isAddress(address) || isAddress(selected.trim())) return undefined;
  return `${selected.trimEnd()} (${address})`;
}
