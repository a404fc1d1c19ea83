import { useEffect, useState } from "preact/hooks";
import type { Connection } from "@confab/client";
import { client, connection } from "../session/state.ts";
import { t } from "../text/text.ts";
import { moment } from "../text/time.ts";

/** How long a lost connection is nobody's business. */
const PATIENCE_MS = 2000;

/** Why there is no connection, in words; nothing while the seconds until the next try say it. */
export function connectionText({ state, why }: Pick<Connection, "state" | "why">, onLine: boolean, left: number): string {
  if (!onLine) return t("connection.offline");
  if (state === "waiting" && left > 0) return "";
  if (hasStopped({ state, why })) return t(why === "displaced" ? "connection.taken" : "connection.stopped");
  return t("connection.connecting");
}

/** Whether it has ended, and not merely never begun. */
function hasStopped({ state, why }: { state: Connection["state"]; why?: string | undefined }): boolean {
  return state === "stopped" && why !== undefined;
}

/** Says that there is no connection, since when, and when it is tried again; nothing for the first two seconds. */
export function ConnectionBar() {
  const { state, retry_at, lost_at, why } = connection.value;
  const live = state === "live";
  const [late, setLate] = useState(false);
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    setLate(false);
    if (live) return;
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [live]);
  useEffect(() => {
    if (live || !late) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [live, late, retry_at]);
  if (live || !late) return null;
  const stopped = hasStopped({ state, why });
  const left = Math.max(0, Math.ceil(((retry_at ?? now) - now) / 1000));
  return (
    <section class="connection" data-testid="connection" aria-label={t("connection.title")}>
      <span role="status">{connectionText(connection.value, navigator.onLine, left)}</span>
      {state === "waiting" && left > 0 && <span>{t("connection.waiting", { n: left })}</span>}
      {(state === "waiting" || stopped) && (
        <button type="button" class="text-button" onClick={() => client().connect()}>
          {t(stopped ? "connection.useHere" : "connection.tryNow")}
        </button>
      )}
      {lost_at !== undefined && <span>{t("connection.asOf", { time: moment(lost_at) })}</span>}
    </section>
  );
}
