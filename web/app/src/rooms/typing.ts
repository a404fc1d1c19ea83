import type { Room } from "@confab/client";
import { nameOf } from "../session/state.ts";
import { t } from "../text/text.ts";

/** Up to three by name; more are several. */
export function typingText(names: readonly string[]): string {
  const [a, b, c] = names;
  if (names.length === 0) return "";
  if (names.length === 1) return t("typing.one", { a: a! });
  if (names.length === 2) return t("typing.two", { a: a!, b: b! });
  if (names.length === 3) return t("typing.three", { a: a!, b: b!, c: c! });
  return t("typing.many");
}

/** In the list: without the name where only one can be meant. */
export function shortTyping(room: Room, ids: readonly string[]): string {
  return room.type === "direct" ? t("typing.short") : typingText(ids.map(nameOf));
}
