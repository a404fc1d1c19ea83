import { client, nameOf } from "../session/state.ts";
import { t } from "../text/text.ts";
import { full, moment } from "../text/time.ts";
import type { TabProps } from "./Panel.tsx";
import { useList } from "./useList.ts";

/** What owners and admins did, newest first. */
export function Audit({ state }: TabProps) {
  const { room_id } = state.room;
  const { list, fault } = useList(() => client().api.all("readAudit", { room_id }, 1000), room_id);
  return (
    <div class="stack">
      {fault && <p class="fault" role="alert">{fault}</p>}
      {list?.length === 0 && <p class="hint">{t("app.nothing")}</p>}
      <ul>
        {list &&
          [...list].reverse().map((entry) => (
            <li key={entry.entry_id} class="list-row">
              <span class="grow">
                {t(`audit.${entry.action}`, { actor: nameOf(entry.actor_id), name: entry.account_id ? nameOf(entry.account_id) : "" })}
                <br />
                <time class="hint" dateTime={new Date(entry.ts).toISOString()} title={full(entry.ts)}>{moment(entry.ts)}</time>
              </span>
            </li>
          ))}
      </ul>
    </div>
  );
}
