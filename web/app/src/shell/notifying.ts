import { computed, effect } from "@preact/signals";
import { isTombstone, type RoomState } from "@confab/client";
import { roomInView } from "../conversation/conversations.ts";
import { me, nameOf, rooms, selfId, titleOf } from "../session/state.ts";
import { t } from "../text/text.ts";
import { prefs, quiet, type Prefs } from "./prefs.ts";
import { go, hashOf, parseRoute } from "./route.ts";
import { startViews } from "./views.ts";

/** Whether a change of a room is to be told. */
export function notable(before: RoomState | undefined, now: RoomState, self: string, prefs: Prefs, hour: number): boolean {
  const last = now.last_message;
  if (!before || !last || isTombstone(last) || last.sender_id === self) return false;
  if (last.seq <= (before.last_message?.seq ?? 0) || now.unread <= before.unread) return false;
  if (prefs.notify === "none" || prefs.mutedRooms.includes(now.room.room_id) || quiet(prefs, hour)) return false;
  return prefs.notify === "all" || now.room.type === "direct" || now.mentions > before.mentions;
}

/** After the first list of rooms: what is in it was not said just now. The room list follows in bursts. */
const SETTLE_MS = 1000;

/**
 * Notifies of new messages. One tab does it for all; each tab tells which room it is showing, so that
 * none is notified of what somebody is looking at.
 */
export function startNotifying(): void {
  const views = startViews();
  let mine = false;
  if (navigator.locks) void navigator.locks.request("confab-notifies", () => ((mine = true), new Promise(() => {})));
  else mine = true;

  let settled = false;
  let settling: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    clearTimeout(settling);
    settled = false;
    if (listedNow.value) settling = setTimeout(() => (settled = true), SETTLE_MS);
  });
  let before = rooms.peek();
  effect(() => {
    const now = rooms.value;
    if (mine && settled) {
      for (const [id, state] of now) {
        const was = before.get(id);
        if (was === state || !notable(was, state, selfId(), prefs.peek(), new Date().getHours())) continue;
        if (roomInView() === id || views.some(id, Date.now())) continue;
        notify(state);
      }
    }
    before = now;
  });
  navigator.serviceWorker?.addEventListener("message", (event: MessageEvent<{ open?: string }>) => {
    if (event.data.open) go(parseRoute(event.data.open));
  });
}

/** Whether the rooms are as the server listed them: the account's settings come with the list. */
const listedNow = computed(() => me.value !== undefined);

function notify(state: RoomState): void {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const last = state.last_message!;
  if (isTombstone(last)) return;
  const title = state.room.type === "direct" ? titleOf(state.room) : t("notify.title", { name: nameOf(last.sender_id), room: titleOf(state.room) });
  const hash = hashOf({ name: "room", room: state.room.room_id, seq: last.seq });
  const options = { body: last.body.slice(0, 300), tag: state.room.room_id, data: { hash }, renotify: true };
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      window.focus();
      go(parseRoute(hash));
      shown.close();
    };
  } catch {
    // Phones show them through the service worker alone.
    void navigator.serviceWorker?.ready.then((worker) => worker.showNotification(title, options));
  }
}
