import { effect } from "@preact/signals";
import { isUnfinished } from "../compose/unfinished.ts";
import { connection } from "../session/state.ts";
import { t } from "../text/text.ts";
import { tell } from "../ui/toast.tsx";
import { dialog, panel, question } from "./dialogs.ts";

/** A tab that nobody looks at takes a new version within this, so that not all come back at once. */
const SPREAD_MS = 30 * 60_000;

/** The script that a page starts with. */
export function scriptOf(html: string): string | undefined {
  return /<script type="module" src="([^"]+)"/.exec(html)?.[1];
}

/** Whether a reload would take nothing that somebody has begun. */
export function isIdle(): boolean {
  return dialog.value === undefined && question.value === undefined && panel.value === undefined && !isUnfinished();
}

/** Looks for a new version after each reconnect, and offers it; a hidden tab takes it by itself. */
export function watchForUpdates(): void {
  const own = document.querySelector("script[type=module]")?.getAttribute("src");
  let lost = false;
  let offered = false;
  effect(() => {
    if (connection.value.state !== "live") lost = true;
    else if (lost && !offered) {
      lost = false;
      void look();
    }
  });
  const look = async () => {
    const answer = await fetch("/", { cache: "no-store" }).catch(() => undefined);
    const now = answer?.ok ? scriptOf(await answer.text()) : undefined;
    if (!own || !now || now === own || offered) return;
    offered = true;
    tell(t("app.old"), { label: t("app.reload"), act: () => location.reload() }, 3_600_000);
    setTimeout(function unseen() {
      if (document.visibilityState === "hidden" && isIdle()) location.reload();
      else document.addEventListener("visibilitychange", unseen, { once: true });
    }, Math.random() * SPREAD_MS);
  };
}
