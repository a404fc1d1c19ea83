import { signal } from "@preact/signals";

/** Whether the page has room for one part at a time; the same bound as in shell.css. */
export const narrow = matched("(max-width: 44rem)");
/** Whether details lie over the conversation; the same bound as in shell.css. */
export const panelCovers = matched("(max-width: 60rem)");

function matched(condition: string) {
  const matches = signal(false);
  if (typeof matchMedia === "undefined") return matches;
  const query = matchMedia(condition);
  matches.value = query.matches;
  query.addEventListener("change", () => {
    matches.value = query.matches;
  });
  return matches;
}
