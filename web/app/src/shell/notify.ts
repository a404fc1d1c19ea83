import { signal } from "@preact/signals";
import { prefer, prefs } from "./prefs.ts";

/** Whether it is offered to turn notifications on. */
export const offering = signal(false);

/** After something was written, once: whoever writes waits for an answer. */
export function offerNotifications(): void {
  if (prefs.value.offered || !("Notification" in window) || Notification.permission !== "default") return;
  offering.value = true;
}

/** Answers the offer. The browser asks only when the person wants it. */
export async function answerOffer(wanted: boolean): Promise<void> {
  offering.value = false;
  prefer({ offered: true });
  if (wanted) await Notification.requestPermission();
}
