import { useState } from "preact/hooks";
import { personChoices } from "../people/choices.ts";
import { attempt, faultText } from "../session/faults.ts";
import { client, personOf, presence, rules, statusOf, titleOf } from "../session/state.ts";
import { ask, panel } from "../shell/dialogs.ts";
import { prefer, prefs } from "../shell/prefs.ts";
import { go } from "../shell/route.ts";
import { t } from "../text/text.ts";
import { Avatar, Presence } from "../ui/Avatar.tsx";
import { tell } from "../ui/toast.tsx";
import type { TabProps } from "./Panel.tsx";

/** What a room is, its settings for those who rule it, and the ways out of it. */
export function About({ state }: TabProps) {
  const { room } = state;
  const muted = prefs.value.mutedRooms.includes(room.room_id);
  const title = titleOf(room);
  const leave = async () => {
    if ((await ask({ text: t("details.leaveAsk", { room: title }), does: t("details.leave"), danger: true })) === undefined) return;
    try {
      await client().api.ask("removeMember", { room_id: room.room_id, account_id: "me" });
      panel.value = undefined;
      go({ name: "home" });
    } catch (error) {
      const lastOwner = typeof error === "object" && error !== null && "code" in error && error.code === "conflict";
      tell(lastOwner ? t("fault.lastOwner") : faultText(error), undefined, 8000);
    }
  };
  const archive = async () => {
    if ((await ask({ text: t("details.archiveAsk", { room: title }), does: t("details.archive"), danger: true })) === undefined) return;
    await attempt(() => client().api.ask("archiveRoom", { room_id: room.room_id }));
  };
  return (
    <div class="stack">
      {room.type === "direct" ? <Peer id={room.peer_id} state={state} /> : rules(room) && room.archived_at === undefined ? <SettingsOf key={room.room_id} state={state} /> : (
        <div class="stack">
          <h3 dir="auto">{title}</h3>
          {room.description && <p dir="auto">{room.description}</p>}
        </div>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={!muted}
          onChange={() =>
            prefer({ mutedRooms: muted ? prefs.value.mutedRooms.filter((id) => id !== room.room_id) : [...prefs.value.mutedRooms, room.room_id].slice(-1000) })
          }
        />
        {t("details.notify")}
      </label>
      {room.type !== "direct" && (
        <button type="button" class="button danger" onClick={leave}>
          {t("details.leave")}
        </button>
      )}
      {room.role === "owner" && room.type !== "direct" && room.archived_at === undefined && (
        <button type="button" class="button danger" onClick={archive}>
          {t("details.archive")}
        </button>
      )}
    </div>
  );
}

function Peer({ id, state }: TabProps & { id: string }) {
  const person = personOf(id);
  const text = presence.value.get(id)?.text;
  return (
    <div class="stack">
      <div class="line">
        <Avatar id={id} name={person.display_name} person size="large" />
        <div class="grow">
          <h3><bdi>{person.display_name}</bdi></h3>
          <p class="hint">@{person.handle}</p>
          <p class="hint line">
            <Presence status={statusOf(id)} /> {t(`presence.${statusOf(id)}`)}
          </p>
        </div>
      </div>
      {text && <p dir="auto">{text}</p>}
      {personChoices(id, state.room, undefined).map((choice) => (
        <button key={choice.label} type="button" class={choice.danger ? "button danger" : "button"} onClick={choice.act}>
          {choice.label}
        </button>
      ))}
    </div>
  );
}

function SettingsOf({ state }: TabProps) {
  const { room } = state;
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  if (room.type === "direct") return null;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const given = (name: string) => String(form.get(name) ?? "").trim();
    setBusy(true);
    setFault(undefined);
    try {
      await client().api.ask("changeRoom", {
        room_id: room.room_id,
        body: {
          name: given("name"),
          description: given("description"),
          slow_mode_s: Number(given("slow")) || 0,
          max_members: Number(given("max")) || 0,
          capacity: Number(given("capacity")) || 0,
          ...(Number(given("capacity")) > 0 && { read_outside: form.has("read_outside") }),
          history: given("history") === "since_join" ? "since_join" : "all",
        },
      });
      tell(t("app.saved"), undefined, 2000);
    } catch (error) {
      setFault(faultText(error));
    }
    setBusy(false);
  };
  return (
    <form class="stack" onSubmit={submit}>
      <h3>{t("details.settings")}</h3>
      <div class="field">
        <label for="room-name">{t("create.name")}</label>
        <input class="input" id="room-name" name="name" dir="auto" required maxLength={80} defaultValue={room.name} />
      </div>
      <div class="field">
        <label for="room-description">{t("create.description")}</label>
        <textarea class="input" id="room-description" name="description" dir="auto" rows={2} maxLength={500} defaultValue={room.description ?? ""} />
      </div>
      <div class="field">
        <label for="room-history">{t("details.history")}</label>
        <select class="input" id="room-history" name="history" defaultValue={room.history}>
          <option value="all" selected={room.history === "all"}>{t("create.historyAll")}</option>
          <option value="since_join" selected={room.history === "since_join"}>{t("create.historyJoin")}</option>
        </select>
      </div>
      <div class="field">
        <label for="room-slow">{t("details.slow")}</label>
        <input class="input" id="room-slow" name="slow" type="number" min={0} max={86400} defaultValue={room.slow_mode_s ?? 0} />
      </div>
      <div class="field">
        <label for="room-max">{t("details.max")}</label>
        <input class="input" id="room-max" name="max" type="number" min={0} max={1000000000} defaultValue={room.max_members ?? 0} />
      </div>
      <div class="field">
        <label for="room-capacity">{t("details.capacity")}</label>
        <input class="input" id="room-capacity" name="capacity" type="number" min={0} max={1000000} defaultValue={room.capacity ?? 0} />
      </div>
      <label class="check">
        <input type="checkbox" name="read_outside" defaultChecked={room.read_outside === true} />
        {t("details.readOutside")}
      </label>
      {fault && <p class="fault" role="alert">{fault}</p>}
      <button type="submit" class="button primary" disabled={busy}>{t("app.save")}</button>
    </form>
  );
}

