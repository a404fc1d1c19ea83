import { effect } from "@preact/signals";
import { roomInView } from "../conversation/conversations.ts";
import { rooms } from "../session/state.ts";

/** What a tab tells of itself lasts so long, for a tab that crashed tells nothing more. */
const LASTS_MS = 45_000;
const BEAT_MS = 15_000;

/** Which rooms other tabs show to somebody who looks at them. */
export class Views {
  readonly #tabs = new Map<string, { room: string; at: number }>();

  told(tab: string, room: string | undefined, now: number): void {
    if (room === undefined) this.#tabs.delete(tab);
    else this.#tabs.set(tab, { room, at: now });
  }

  /** Whether one of them shows this room. */
  some(room: string, now: number): boolean {
    for (const view of this.#tabs.values()) if (view.room === room && now - view.at < LASTS_MS) return true;
    return false;
  }
}

/** Tells other tabs what this one shows, and hears it of them. */
export function startViews(): Views {
  const views = new Views();
  // No page without TLS has crypto.randomUUID; this only tells tabs of one profile apart.
  const tab = Math.random().toString(36);
  const channel = new BroadcastChannel("confab-view");
  channel.onmessage = ({ data }: MessageEvent<{ tab: string; room?: string }>) => views.told(data.tab, data.room, Date.now());
  let told: string | undefined;
  let at = 0;
  const tell = () => {
    const room = roomInView();
    if (room === told && (room === undefined || Date.now() - at < BEAT_MS)) return;
    told = room;
    at = Date.now();
    channel.postMessage({ tab, room });
  };
  for (const event of ["focus", "blur", "hashchange", "pagehide"]) window.addEventListener(event, () => setTimeout(tell));
  document.addEventListener("visibilitychange", tell);
  setInterval(tell, BEAT_MS);
  effect(() => {
    void rooms.value;
    tell();
  });
  return views;
}
