import type { View } from "../log/Log.tsx";
import { keep, kept } from "../shell/kept.ts";

const KEY = "confab.place";
let restored = false;

/** Remembers where a tab reads, so that it is there again after a reload. */
export function keepPlace(room: string, view: View): void {
  if (view.last === 0) return;
  restored = true;
  keep(KEY, JSON.stringify(view.end ? { room } : { room, seq: view.first }), "session");
}

/** Where this tab read the room before it was reloaded; asked once, and nothing where that was the end. */
export function keptPlace(room: string): number | undefined {
  if (restored) return undefined;
  restored = true;
  try {
    const place = JSON.parse(kept(KEY, "session") ?? "{}") as { room?: unknown; seq?: unknown };
    return place.room === room && typeof place.seq === "number" ? place.seq : undefined;
  } catch {
    return undefined;
  }
}
