import { effect } from "@preact/signals";
import { rooms, titleOf } from "../session/state.ts";
import { t } from "../text/text.ts";
import { prefs } from "./prefs.ts";
import { route } from "./route.ts";

/** What the addresses of the icons begin with; the build fills it in. */
declare const __ICONS__: string;

/** What is unread in all rooms whose notifications are not off. */
export function totals(
  states: Iterable<{ unread: number; mentions: number; room: { room_id: string; type: string } }>,
  muted: readonly string[],
): { unread: number; mentions: number } {
  let unread = 0;
  let mentions = 0;
  for (const state of states) {
    if (muted.includes(state.room.room_id)) continue;
    unread += state.unread;
    mentions += state.room.type === "direct" ? state.unread : state.mentions;
  }
  return { unread, mentions };
}

/** Which icon shows these counts: a number of mentions, a dot where there is less, or none. */
export function iconOf({ unread, mentions }: { unread: number; mentions: number }): string {
  if (mentions > 9) return "more";
  if (mentions > 0) return String(mentions);
  return unread > 0 ? "dot" : "none";
}

/** Keeps the counts in the tab's title and icon: mentions apart from what is merely unread. */
export function countInTitle(): void {
  effect(() => {
    const sums = totals(rooms.value.values(), prefs.value.mutedRooms);
    const now = route.value;
    const room = now.name === "room" ? rooms.value.get(now.room) : undefined;
    const count = sums.mentions > 0 ? `(${sums.mentions}) ` : sums.unread > 0 ? "• " : "";
    document.title = `${count}${room ? `${titleOf(room.room)} · ` : ""}${t("app.name")}`;
    const link = document.getElementById("icon") as HTMLLinkElement | null;
    const icon = `${__ICONS__}${iconOf(sums)}.svg`;
    if (link && link.getAttribute("href") !== icon) link.href = icon;
  });
}
