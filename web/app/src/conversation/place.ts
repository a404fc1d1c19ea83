import type { View } from "../log/Log.tsx";

const KEY = "confab.place";
let restored = false;

/** Remembers where a tab reads, so that it is there again after a reload. */
export function keepPlace(room: string, view: View): void {
  if (view.last === 0) return;
  restored = true;
  try {
    sessionStorage.setItem(KEY, JSON.stringify(view.end ? { room } : { room, seq: view.first }));
  } catch {
    // A browser that keeps nothing opens the room at its end.
  }
}

/** Where this tab read the room before it was reloaded; asked once, and nothing where that was the end. */
export function keptPlace(room: string): number | undefined {
  if (restored) return undefined;
  restored = true;
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as { room?: unknown; seq?: unknown };
    return kept.room === room && typeof kept.seq === "number" ? kept.seq : undefined;
  } catch {
    return undefined;
  }
}
