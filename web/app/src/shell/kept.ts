/** Under which a tab keeps what was begun in it; the words of an account. */
export const UNFINISHED = "confab.unfinished";

/** What this browser keeps under a name; nothing where it keeps nothing, or lets nobody look. */
export function kept(name: string, of: "local" | "session" = "local"): string | null {
  try {
    return storage(of).getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a text, or with `null` no longer; a browser that keeps nothing forgets it with the tab. */
export function keep(name: string, text: string | null, of: "local" | "session" = "local"): void {
  try {
    if (text === null) storage(of).removeItem(name);
    else storage(of).setItem(name, text);
  } catch {
    // The quota is used up, or site data is blocked.
  }
}

function storage(of: "local" | "session"): Storage {
  return of === "local" ? localStorage : sessionStorage;
}
