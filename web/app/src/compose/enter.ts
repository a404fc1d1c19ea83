import type { Press } from "../shell/keys.ts";

/** What Enter does in the composer. */
export function enterOf(press: Omit<Press, "writing">, enterSends: boolean): "send" | "newline" | undefined {
  // Safari ends a composition before it tells of the key: there keyCode is 229, which callers pass as isComposing.
  if (press.key !== "Enter" || press.isComposing) return undefined;
  if (press.ctrlKey || press.metaKey) return "send";
  if (press.shiftKey || press.altKey) return "newline";
  return enterSends ? "send" : "newline";
}
