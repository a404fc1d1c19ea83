import { useEffect, useState } from "preact/hooks";
import { attempt } from "../session/faults.ts";
import { client } from "../session/state.ts";
import { go } from "../shell/route.ts";
import { t } from "../text/text.ts";
import { Icon } from "../ui/Icon.tsx";

/** A room that is not one of the account's: a channel to join, or nothing. */
export function StrangeRoom({ room }: { room: string }) {
  const [found, setFound] = useState<{ name: string; count: number } | "none" | undefined>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    setFound(undefined);
    client()
      .api.ask("getRoom", { room_id: room })
      .then(
        (one) => setFound(one.type === "direct" ? "none" : { name: one.name, count: one.member_count }),
        () => setFound("none"),
      );
  }, [room]);
  const join = async () => {
    setBusy(true);
    await attempt(() => client().api.ask("join", { room_id: room }));
    setBusy(false);
  };
  return (
    <main class="room" tabIndex={-1}>
      <div class="nothing">
        {found === undefined && <span class="spinner" role="status" aria-label={t("app.loading")} />}
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
