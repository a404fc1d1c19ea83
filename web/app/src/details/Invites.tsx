import { useState } from "preact/hooks";
import { attempt, faultText } from "../session/faults.ts";
import { client, nameOf } from "../session/state.ts";
import { hashOf } from "../shell/route.ts";
import { t } from "../text/text.ts";
import { moment } from "../text/time.ts";
import { copyText } from "../ui/clipboard.ts";
import { tell } from "../ui/toast.tsx";
import type { TabProps } from "./Panel.tsx";
import { useList } from "./useList.ts";

/** For how many seconds a link may stand; 0: for ever. */
const LIVES = [3600, 86_400, 604_800, 2_592_000, 0];

/** Links by which people join: making one, and those that stand. */
export function Invites({ state }: TabProps) {
  const { room_id } = state.room;
  const { list, fault, again } = useList(() => client().api.all("listInvites", { room_id }, 500), room_id);
  const [made, setMade] = useState<string>();
  const [wrong, setWrong] = useState<string>();
  const make = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const life = Number(form.get("life"));
    const uses = Number(form.get("uses"));
    try {
      const invite = await client().api.ask("makeInvite", {
        room_id,
        body: { ...(life > 0 ? { expires_in_s: life } : {}), ...(uses > 0 ? { max_uses: uses } : {}) },
      });
      setMade(location.origin + location.pathname + hashOf({ name: "invite", code: invite.code }));
      setWrong(undefined);
      again();
    } catch (error) {
      setWrong(faultText(error));
    }
  };
  const remove = async (code: string) => {
    if (await attempt(() => client().api.ask("deleteInvite", { room_id, code }))) again();
  };
  return (
    <div class="stack">
      {state.room.archived_at === undefined && (
        <form class="stack" onSubmit={make}>
          <div class="field">
            <label for="invite-life">{t("details.inviteLife")}</label>
            <select class="input" id="invite-life" name="life">
              {LIVES.map((s) => (
                <option key={s} value={s} selected={s === 604_800}>
                  {s === 0 ? t("details.never") : s < 86_400 ? t("details.hours", { n: s / 3600 }) : t("details.days", { n: s / 86_400 })}
                </option>
              ))}
            </select>
          </div>
          <div class="field">
            <label for="invite-uses">{t("details.inviteUses")}</label>
            <input class="input" id="invite-uses" name="uses" type="number" min={1} max={1000000000} placeholder={t("details.anyUses")} />
          </div>
          {wrong && <p class="fault" role="alert">{wrong}</p>}
          <button type="submit" class="button primary">{t("details.makeInvite")}</button>
        </form>
      )}
      {made && (
        <div class="field" role="status">
          <label for="invite-link">{t("details.created")}</label>
          <div class="copyable">
            <input class="input" id="invite-link" dir="ltr" readOnly value={made} onFocus={(event) => event.currentTarget.select()} />
            <button
              type="button"
              class="button"
              onClick={async () => {
                if (await copyText(made)) tell(t("app.copied"), undefined, 2000);
                else document.getElementById("invite-link")?.focus();
              }}
            >
              {t("app.copy")}
            </button>
          </div>
        </div>
      )}
      {fault && <p class="fault" role="alert">{fault}</p>}
      {list?.length === 0 && <p class="hint">{t("details.noInvites")}</p>}
      <ul>
        {list?.map((one) => (
          <li key={one.invite_id} class="list-row">
            <span class="grow">
              {t("details.inviteBy", { name: nameOf(one.made_by), time: moment(one.made_at) })}
              <br />
              <span class="hint">
                {t("details.inviteUsed", { n: one.uses })}
                {one.max_uses !== undefined && ` / ${one.max_uses}`}
                {one.expires_at !== undefined && ` · ${t("details.inviteEnds", { time: moment(one.expires_at) })}`}
              </span>
            </span>
            <button type="button" class="button" onClick={() => void remove(one.invite_id)}>
              {t("details.revoke")}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
