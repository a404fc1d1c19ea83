import { useState } from "preact/hooks";
import { attempt } from "../session/faults.ts";
import { client, invitations, nameOf } from "../session/state.ts";
import { answerOffer } from "../shell/notify.ts";
import { t } from "../text/text.ts";

/** Who asks the account to join, above its rooms. */
export function Invitations() {
  const [busy, setBusy] = useState<string>();
  const answer = async (room: string, accept: boolean) => {
    setBusy(room);
    const { api } = client();
    await attempt(() => (accept ? api.ask("acceptInvitation", { room_id: room }) : api.ask("declineInvitation", { room_id: room })));
    setBusy(undefined);
  };
  return (
    <section class="invitations" aria-label={t("invitations.title", { n: invitations.value.length })}>
      {invitations.value.map((one) => (
        <div key={one.room_id} class="invitation">
          <p dir="auto">
            {one.name
              ? t("invitations.from", { name: nameOf(one.invited_by), room: one.name })
              : t("invitations.fromUnnamed", { name: nameOf(one.invited_by) })}{" "}
            <span class="hint">({t("room.members", { n: one.member_count })})</span>
          </p>
          <div class="line">
            <button type="button" class="button primary" disabled={busy === one.room_id} onClick={() => answer(one.room_id, true)}>
              {t("invitations.accept")}
            </button>
            <button type="button" class="button" disabled={busy === one.room_id} onClick={() => answer(one.room_id, false)}>
              {t("invitations.decline")}
            </button>
          </div>
        </div>
      ))}
    </section>
  );
}

/** Offers to be told of messages, once, with the reason; the browser asks only who wants it. */
export function Offer() {
  return (
    <section class="invitations offer" aria-label={t("settings.notifications")}>
      <p>{t("notify.ask")}</p>
      <div class="line">
        <button type="button" class="button primary" onClick={() => void answerOffer(true)}>
          {t("notify.allow")}
        </button>
        <button type="button" class="button" onClick={() => void answerOffer(false)}>
          {t("notify.later")}
        </button>
      </div>
    </section>
  );
}
