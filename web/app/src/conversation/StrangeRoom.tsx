import { useEffect, useState } from "preact/hooks";
import type { Room } from "@confab/client";
import { attempt, isRetryable } from "../session/faults.ts";
import { client, live } from "../session/state.ts";
import { go } from "../shell/route.ts";
import { t } from "../text/text.ts";
import { Icon } from "../ui/Icon.tsx";

/** What is known of the room: nothing yet, that it comes by itself, that it is not to be had, or how it is. */
type Found = "loading" | "none" | "away" | { name: string; count: number };

/** What an answer about the room says. */
export function foundOf(room: Room): Found {
  // One who is a member is told of it in a moment.
  if (room.role !== undefined) return "loading";
  return room.type === "direct" ? "none" : { name: room.name, count: room.member_count };
}

/** A room that is not one of the account's: a channel to join, or nothing. */
export function StrangeRoom({ room }: { room: string }) {
  const [found, setFound] = useState<Found>("loading");
  const [busy, setBusy] = useState(false);
  const read = () => {
    setFound("loading");
    client()
      .api.ask("getRoom", { room_id: room })
      .then(
        (one) => setFound(foundOf(one)),
        (error: unknown) => setFound(isRetryable(error) ? "away" : "none"),
      );
  };
  useEffect(read, [room]);
  useEffect(() => {
    if (live.value && found === "away") read();
  }, [live.value]);
  const join = async () => {
    setBusy(true);
    if (await attempt(() => client().api.ask("join", { room_id: room }))) setFound("loading");
    setBusy(false);
  };
  return (
    <main class="room" tabIndex={-1}>
      <div class="nothing">
        {found === "loading" && <span class="spinner" role="status" aria-label={t("app.loading")} />}
        {found === "away" && (
          <>
            <p>{t("fault.offline")}</p>
            <button type="button" class="button" onClick={read}>
              {t("app.retry")}
            </button>
          </>
        )}
        {found === "none" && (
          <>
            <Icon name="warn" />
            <h1>{t("room.notFound")}</h1>
            <button type="button" class="button" onClick={() => go({ name: "home" })}>
              {t("app.back")}
            </button>
          </>
        )}
        {typeof found === "object" && (
          <>
            <h1 dir="auto">{found.name}</h1>
            <p>
              {t("room.notMember")} {t("room.members", { n: found.count })}
            </p>
            <button type="button" class="button primary" disabled={busy} onClick={join}>
              {t("room.join")}
            </button>
          </>
        )}
      </div>
    </main>
  );
}
