import { useEffect, useMemo, useState } from "preact/hooks";
import type { Member } from "@confab/client";
import { conversationOf } from "../conversation/conversations.ts";
import { personChoices } from "../people/choices.ts";
import { accountOf, handlesIn } from "../people/lookup.ts";
import { fold } from "../rooms/rank.ts";
import { faultText } from "../session/faults.ts";
import { blocked, client, nameOf, presence, rules, selfId, serverNow, statusOf } from "../session/state.ts";
import { t } from "../text/text.ts";
import { moment } from "../text/time.ts";
import { Avatar } from "../ui/Avatar.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Menu } from "../ui/Menu.tsx";
import { tell } from "../ui/toast.tsx";
import type { TabProps } from "./Panel.tsx";

const STEP = 100;
const RANK = { owner: 0, admin: 1, member: 2 };
const THERE = { online: 0, away: 1, offline: 2 };

/** Who is in a room: those who rule it first, then those who are there. */
export function Members({ state }: TabProps) {
  const { room } = state;
  const conversation = conversationOf(room.room_id);
  const members = conversation.members.value;
  const [fault, setFault] = useState<string>();
  const [query, setQuery] = useState("");
  const [shown, setShown] = useState(STEP);
  const [menu, setMenu] = useState<{ id: string; at: Element }>();
  useEffect(() => {
    conversation.view.loadMembers().catch((error) => setFault(faultText(error)));
  }, [room.room_id]);
  const seen = presence.value;
  const sorted = useMemo(() => {
    const wanted = fold(query.trim().replace(/^@/, ""));
    return [...(members?.values() ?? [])]
      .filter((one) => wanted === "" || fold(one.display_name).includes(wanted) || one.handle.includes(wanted))
      .sort((a, b) => RANK[a.role] - RANK[b.role] || THERE[statusOf(a.account_id)] - THERE[statusOf(b.account_id)] || a.display_name.localeCompare(b.display_name));
  }, [members, query, seen]);
  return (
    <div class="stack">
      {rules(room) && room.archived_at === undefined && <Add room_id={room.room_id} />}
      {room.member_count > 10 && (
        <input
          class="input"
          type="search"
          aria-label={t("details.search")}
          placeholder={t("details.search")}
          dir="auto"
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      )}
      {fault && !members && <p class="fault" role="alert">{fault}</p>}
      {!members && !fault && <span class="spinner" role="status" aria-label={t("app.loading")} />}
      <ul>
        {sorted.slice(0, shown).map((one) => (
          <MemberRow key={one.account_id} member={one} status={statusOf(one.account_id)} onMenu={(at) => setMenu({ id: one.account_id, at })} />
        ))}
      </ul>
      {sorted.length > shown && (
        <button type="button" class="button" onClick={() => setShown(shown + STEP)}>
          {t("details.moreMembers")}
        </button>
      )}
      {menu && (
        <Menu
          label={t("person.actions", { name: nameOf(menu.id) })}
          at={menu.at}
          choices={personChoices(menu.id, room, members?.get(menu.id))}
          onClose={() => setMenu(undefined)}
        />
      )}
    </div>
  );
}

function MemberRow({ member, status, onMenu }: { member: Member; status: "online" | "away" | "offline"; onMenu: (at: Element) => void }) {
  const self = member.account_id === selfId();
  const muted = member.muted_until !== undefined && member.muted_until > serverNow();
  const text = presence.value.get(member.account_id)?.text;
  const hints = [`@${member.handle}`];
  if (self) hints.push(t("person.you"));
  if (muted) hints.push(t("person.mutedUntil", { time: moment(member.muted_until!) }));
  if (blocked.value.has(member.account_id)) hints.push(t("person.blocked"));
  if (text) hints.push(text);
  return (
    <li class="person-row">
      <Avatar id={member.account_id} name={member.display_name} person status={status} />
      <span class="person-words">
        <bdi>{member.display_name}</bdi>
        <span class="hint" dir="auto">{hints.join(" · ")}</span>
      </span>
      {member.role !== "member" && <span class="chip">{t(`role.${member.role}`)}</span>}
      {!self && (
        <button
          type="button"
          class="icon-button"
          aria-haspopup="menu"
          aria-label={t("person.actions", { name: member.display_name })}
          onClick={(event) => onMenu(event.currentTarget)}
        >
          <Icon name="more" />
        </button>
      )}
    </li>
  );
}

function Add({ room_id }: { room_id: string }) {
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const handles = handlesIn(String(new FormData(form).get("handle") ?? ""));
    setBusy(true);
    setFault(undefined);
    try {
      for (const handle of handles) {
        const account_id = await accountOf(handle);
        if (account_id === undefined) throw t("create.noSuch", { handle });
        const answer = await client().api.ask("putMember", { room_id, account_id, body: {} });
        client().person(account_id);
        tell(t("invited" in answer ? "details.asked" : "details.added", { name: "display_name" in answer ? answer.display_name : `@${handle}` }));
      }
      form.reset();
    } catch (error) {
      setFault(typeof error === "string" ? error : faultText(error));
    }
    setBusy(false);
  };
  return (
    <form class="field" onSubmit={submit}>
      <label for="add-handle">{t("details.add")}</label>
      <div class="copyable">
        <input class="input" id="add-handle" name="handle" dir="ltr" autocapitalize="none" autocomplete="off" required aria-invalid={fault !== undefined} />
        <button type="submit" class="button" disabled={busy}>{t("details.addDo")}</button>
      </div>
      {fault && <p class="fault" role="alert">{fault}</p>}
    </form>
  );
}
