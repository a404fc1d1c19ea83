import type { ConfabClient } from "./confabClient.ts";

/** What the page tells: when a connection may work again, or no more, and when there may be no later. */
export function attendPage(client: ConfabClient): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const wake = (): void => client.wake();
  window.addEventListener("online", wake, { signal });
  document.addEventListener("resume", wake, { signal });
  document.addEventListener("visibilitychange", () => (document.hidden ? void client.keepUnsent() : wake()), { signal });
  window.addEventListener(
    "pagehide",
    (event) => {
      // a page that the browser puts aside must not hold the connection
      if (event.persisted) void client.close();
      else void client.keepUnsent();
    },
    { signal },
  );
  window.addEventListener("pageshow", (event) => event.persisted && location.reload(), { signal });
  return () => ended.abort();
}
