import { useEffect, useState } from "preact/hooks";
import { client, connection } from "../session/state.ts";
import { t } from "../text/text.ts";
import { moment } from "../text/time.ts";

/** How long a lost connection is nobody's business. */
const PATIENCE_MS = 2000;

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
  const left = Math.max(0, Math.ceil(((retry_at ?? now) - now) / 1000));
  return (
    <section class="connection" data-testid="connection" aria-label={t("connection.title")}>
      <span role="status">
        {!navigator.onLine ? t("connection.offline") : state === "stopped" ? (why ?? t("connection.taken")) : state === "waiting" && left > 0 ? "" : t("connection.connecting")}
      </span>
      {state === "waiting" && left > 0 && <span>{t("connection.waiting", { n: left })}</span>}
      {state !== "connecting" && (
        <button type="button" class="text-button" onClick={() => client().connect()}>
          {t(state === "stopped" ? "connection.useHere" : "connection.tryNow")}
        </button>
      )}
      {lost_at !== undefined && <span>{t("connection.asOf", { time: moment(lost_at) })}</span>}
    </section>
  );
}
