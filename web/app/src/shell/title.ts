import { effect } from "@preact/signals";
import type { RoomState } from "@confab/client";
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

/** Which icon shows these counts: the number of mentions, else of what is unread in another colour, or none. */
export function iconOf({ unread, mentions }: { unread: number; mentions: number }): string {
  const [kind, count] = mentions > 0 ? ["mentions", mentions] : ["unread", unread];
  return count === 0 ? "none" : `${kind}-${count > 9 ? "more" : count}`;
}

/** The counts before the title: mentions apart from what is unread in all. */
export function countText({ unread, mentions }: { unread: number; mentions: number }): string {
  if (unread === 0 && mentions === 0) return "";
  return mentions > 0 ? `(@${mentions} · ${Math.max(unread, mentions)}) ` : `(${unread}) `;
}

/** The place in the line of the room that is looked at. */
export function placeText(seat: RoomState["seat"]): string {
  return seat?.kind === "seat_waiting" ? `${seat.position}/${seat.waiting} · ` : "";
}

/** Keeps the counts in the tab's title and icon: mentions apart from what is merely unread. */
export function countInTitle(): void {
  effect(() => {
    const sums = totals(rooms.value.values(), prefs.value.mutedRooms);
    const now = route.value;
    const room = now.name === "room" ? rooms.value.get(now.room) : undefined;
    document.title = `${placeText(room?.seat)}${countText(sums)}${room ? `${titleOf(room.room)} · ` : ""}${t("app.name")}`;
    const link = document.getElementById("icon") as HTMLLinkElement | null;
    const icon = `${__ICONS__}${iconOf(sums)}.svg`;
    if (link && link.getAttribute("href") !== icon) link.href = icon;
  });
}
