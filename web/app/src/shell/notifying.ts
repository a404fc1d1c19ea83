import { computed, effect } from "@preact/signals";
import { isTombstone, type RoomState } from "@confab/client";
import { roomInView } from "../conversation/conversations.ts";
import { listed, me, nameOf, rooms, selfId, session, titleOf } from "../session/state.ts";
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
  const tray = new Tray();
  takeUp(tray).catch(() => undefined); // not every browser has them
  let before = rooms.peek();
  effect(() => {
    const now = rooms.value;
    if (mine && settled) {
      for (const [id, state] of now) {
        const was = before.get(id);
        if (was === state || !notable(was, state, selfId(), prefs.peek(), new Date().getHours())) continue;
        if (roomInView() === id || views.some(id, Date.now())) continue;
        notify(state, tray);
      }
    }
    before = now;
    tray.tidy(now, listed.value, session.value.state === "signed_out");
  });
  navigator.serviceWorker?.addEventListener("message", (event: MessageEvent<{ open?: string }>) => {
    if (event.data.open) go(parseRoute(event.data.open));
  });
}

/** What stands in the system's tray, one note for a room, until it is read wherever, or nobody is signed in. */
export class Tray {
  readonly #notes = new Map<string, { seq: number; close: () => void }>();

  put(room: string, seq: number, close: () => void): void {
    this.#notes.set(room, { seq, close });
  }

  /** Takes away what needs no telling any more; a room that is missing is gone once all are `listed`. */
  tidy(rooms: ReadonlyMap<string, RoomState>, listed: boolean, signedOut: boolean): void {
    for (const [id, { seq, close }] of this.#notes) {
      const state = rooms.get(id);
      if (!signedOut && (state ? state.read_seq < seq : !listed)) continue;
      this.#notes.delete(id);
      close();
    }
  }
}

/** Those that a worker showed outlive the page. */
async function takeUp(tray: Tray): Promise<void> {
  const worker = await navigator.serviceWorker?.ready;
  for (const note of (await worker?.getNotifications()) ?? []) tray.put(note.tag, note.data?.seq ?? 0, () => note.close());
}

/** Whether the rooms are as the server listed them: the account's settings come with the list. */
const listedNow = computed(() => me.value !== undefined);

function notify(state: RoomState, tray: Tray): void {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const last = state.last_message!;
  if (isTombstone(last)) return;
  const title = state.room.type === "direct" ? titleOf(state.room) : t("notify.title", { name: nameOf(last.sender_id), room: titleOf(state.room) });
  const hash = hashOf({ name: "room", room: state.room.room_id, seq: last.seq });
  const tag = state.room.room_id;
  const options = { body: last.body.slice(0, 300), tag, data: { hash, seq: last.seq }, renotify: true };
  try {
    const shown = new Notification(title, options);
    tray.put(tag, last.seq, () => shown.close());
    shown.onclick = () => {
      window.focus();
      go(parseRoute(hash));
      shown.close();
    };
  } catch {
    // Phones show them through the service worker alone.
    void navigator.serviceWorker?.ready
      .then((worker) => worker.showNotification(title, options))
      .then(() => takeUp(tray));
  }
}
