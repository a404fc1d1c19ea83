import { signal } from "@preact/signals";

/** Whether the page has room for one part at a time; the same bound as in shell.css. */
export const narrow = signal(false);

if (typeof matchMedia !== "undefined") {
  const query = matchMedia("(max-width: 44rem)");
  narrow.value = query.matches;
  query.addEventListener("change", () => {
    narrow.value = query.matches;
  });
}
