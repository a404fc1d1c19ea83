import { attempt } from "../session/faults.ts";
import { client, nameOf, personOf } from "../session/state.ts";
import { t } from "../text/text.ts";
import { moment } from "../text/time.ts";
import { Avatar } from "../ui/Avatar.tsx";
import type { TabProps } from "./Panel.tsx";
import { useList } from "./useList.ts";

/** Who may not join. */
export function Bans({ state }: TabProps) {
  const { room_id } = state.room;
  const { list, fault, again } = useList(() => client().api.all("listBans", { room_id }, 1000), room_id);
  const unban = async (account_id: string) => {
    if (await attempt(() => client().api.ask("unban", { room_id, account_id }))) again();
  };
  return (
    <div class="stack">
      {fault && <p class="fault" role="alert">{fault}</p>}
      {list?.length === 0 && <p class="hint">{t("details.noBans")}</p>}
      <ul>
        {list?.map((one) => (
          <li key={one.account_id} class="list-row">
            <Avatar id={one.account_id} name={personOf(one.account_id).display_name} person />
            <span class="person-words">
              <bdi>{personOf(one.account_id).display_name}</bdi>
              <span class="hint">{t("details.bannedBy", { name: nameOf(one.banned_by), time: moment(one.banned_at) })}</span>
              {one.reason && <span class="hint" dir="auto">{one.reason}</span>}
            </span>
            <button type="button" class="button" onClick={() => void unban(one.account_id)}>
              {t("details.unban")}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
