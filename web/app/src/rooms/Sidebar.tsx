import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isTombstone, type Room, type RoomState } from "@confab/client";
import { prefs } from "../shell/prefs.ts";
import { memo } from "../shell/memo.ts";
import { hashOf, route } from "../shell/route.ts";
import { open } from "../shell/dialogs.ts";
import { offering } from "../shell/notify.ts";
import { extras, lazy } from "../shell/lazy.tsx";
import { narrow } from "../shell/narrow.ts";
import { invitations, listed, live, me, nameOf, ordered, personOf, presence, selfId, statusOf, titleOf } from "../session/state.ts";
import { language, t } from "../text/text.ts";
import { brief, full } from "../text/time.ts";
import { Avatar, type Status } from "../ui/Avatar.tsx";
import { Icon } from "../ui/Icon.tsx";
import { shortTyping } from "./typing.ts";

const Menu = lazy(() => extras().then((m) => m.Menu));
const Offer = lazy(() => extras().then((m) => m.Offer));
const Invitations = lazy(() => extras().then((m) => m.Invitations));

/** The rooms of the account, and the ways to more of them. */
export function Sidebar() {
  const [menu, setMenu] = useState<Element>();
  const known = me.value;
  // Without a connection only the account's name is known.
  const own = known ?? (selfId() ? personOf(selfId()) : undefined);
  // Where the list has the page for itself, it is what the page is about; the same element, so that it stays where it was.
  const role = narrow.value && route.value.name !== "room" ? "main" : "navigation";
  return (
    <div class="sidebar" role={role} aria-label={t("rooms.title")} tabIndex={-1}>
      {route.value.name !== "room" && <h1 class="sr-only">{t("rooms.title")}</h1>}
      <div class="sidebar-head">
        {own && (
          <button type="button" class="me" onClick={() => open({ name: "settings" })}>
            <Avatar id={own.account_id} name={own.display_name} person status={ownStatus(own.account_id)} />
            <span class="me-words">
              <bdi class="me-name">{own.display_name}</bdi>
              <bdi class="me-status">{presence.value.get(own.account_id)?.text || `@${own.handle}`}</bdi>
            </span>
            <span class="sr-only">{t("settings.title")}</span>
          </button>
        )}
        <button type="button" class="icon-button" aria-label={t("keys.title")} title={`${t("keys.title")} (?)`} onClick={() => open({ name: "keys" })}>
          <Icon name="help" />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={t("rooms.new")}
          title={t("rooms.new")}
          aria-haspopup="menu"
          aria-expanded={menu !== undefined}
          onClick={(event) => setMenu(event.currentTarget)}
        >
          <Icon name="plus" />
        </button>
        {menu && (
          <Menu
            label={t("rooms.new")}
            at={menu}
            onClose={() => setMenu(undefined)}
            choices={[
              { label: t("rooms.direct"), icon: "talk", act: () => open({ name: "direct" }) },
              { label: t("rooms.find"), icon: "find", act: () => open({ name: "find" }) },
              { label: t("rooms.create"), icon: "plus", act: () => open({ name: "create" }) },
            ]}
          />
        )}
      </div>
      <button type="button" class="jump" onClick={() => open({ name: "switcher" })}>
        <Icon name="find" />
        {t("rooms.jump")}
        <kbd aria-hidden="true">{/Mac|iP/.test(navigator.platform) ? "⌘K" : `${t("keys.ctrl")} K`}</kbd>
      </button>
      {offering.value && <Offer />}
      {invitations.value.length > 0 && <Invitations />}
      <Rooms />
    </div>
  );
}

function ownStatus(id: string): Status {
  return live.value ? (presence.value.get(id)?.status ?? "online") : "offline";
}

function Rooms() {
  // The times of yesterday are not those of today.
  const [today, setToday] = useState(() => new Date().toDateString());
  useEffect(() => {
    const timer = setInterval(() => setToday(new Date().toDateString()), 600_000);
    return () => clearInterval(timer);
  }, []);
  const current = route.value.name === "room" ? route.value.room : undefined;
  const all = ordered.value;
  const lang = language();
  return (
    <div class="rooms">
      {all.length === 0 && !listed.value && <p class="hint section">{t("rooms.loading")}</p>}
      {all.length === 0 && listed.value && (
        <div class="nothing">
          <h2>{t("rooms.none")}</h2>
          <p>{t("rooms.noneHint")}</p>
          <button type="button" class="button" onClick={() => open({ name: "find" })}>
            {t("rooms.find")}
          </button>
        </div>
      )}
      <ul>
        {all.map((state) => (
          <li key={state.room.room_id}>
            <RoomRow state={state} current={state.room.room_id === current} lang={lang} today={today} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const RoomRow = memo(function RoomRow({ state, current }: { state: RoomState; current: boolean; lang: string; today: string }) {
  const { room, unread, mentions, draft, last_message: last } = state;
  const title = titleOf(room);
  const peer = room.type === "direct" ? room.peer_id : undefined;
  const muted = prefs.value.mutedRooms.includes(room.room_id);
  const hasDraft = draft.trim() !== "" && !current;
  return (
    <a
      class={`room-row${unread > 0 ? " unread" : ""}${muted || room.archived_at ? " muted" : ""}`}
      href={hashOf({ name: "room", room: room.room_id })}
      aria-current={current ? "page" : undefined}
      data-room={room.room_id}
    >
      <Avatar id={peer ?? room.room_id} name={title} person={peer !== undefined} status={peer === undefined ? undefined : statusOf(peer)} />
      <span class="room-words">
        <bdi class="room-name">{title}</bdi>
        <span class="room-last">
          <Preview state={state} draft={hasDraft ? draft : undefined} />
        </span>
      </span>
      <span class="room-side">
        {last && (
          <time dateTime={new Date(last.ts).toISOString()} title={full(last.ts)}>
            {brief(last.ts)}
          </time>
        )}
        <span class="badges">
          {hasDraft && <Icon name="edit" />}
          {hasDraft && <span class="sr-only">{t("rooms.draftMark")}</span>}
          {muted && <Icon name="bellOff" />}
          {muted && <span class="sr-only">{t("rooms.muted")}</span>}
          {mentions > 0 && <Badge kind="mentions" text={`@${short(mentions)}`} label={t("rooms.mentions", { n: mentions })} />}
          {unread > 0 && <Badge kind="plain" text={short(unread)} label={t("rooms.unread", { n: unread })} />}
        </span>
      </span>
    </a>
  );
});

function Badge({ kind, text, label }: { kind: string; text: string; label: string }) {
  return (
    <span class={`badge ${kind}`}>
      <span aria-hidden="true" dir="ltr">{text}</span>
      <span class="sr-only">{label}</span>
    </span>
  );
}

function short(n: number): string {
  return n > 999 ? "999+" : String(n);
}

/** Under a room's name: who types, what is being written, else what was said last. */
function Preview({ state, draft }: { state: RoomState; draft: string | undefined }) {
  const { room, typing, last_message: last } = state;
  if (typing.length > 0) return <span class="typing-now">{shortTyping(room, typing)}</span>;
  if (draft !== undefined) {
    return <Line who={<span class="draft">{t("rooms.draft")}</span>} text={draft} />;
  }
  if (room.archived_at) return <>{t("rooms.archived")}</>;
  if (state.pending > 0) return <>{t("message.waiting")}</>;
  if (room.encryption) return <>{t("rooms.sealed")}</>;
  if (!last) return <>{t("rooms.empty")}</>;
  if (isTombstone(last)) return <>{t("rooms.deleted")}</>;
  return <Line who={whoSaid(room, last.sender_id)} text={last.body} />;
}

function whoSaid(room: Room, sender: string): string | undefined {
  if (sender === selfId()) return t("rooms.you");
  return room.type === "direct" ? undefined : t("rooms.said", { name: nameOf(sender) });
}

/** The beginning of what somebody wrote: in its own direction, so that what has no room is its end. */
function Line({ who, text }: { who: ComponentChildren; text: string }) {
  return (
    <span class="room-line">
      {who && <span class="room-who">{who}</span>}{" "}
      <span class="room-text" dir="auto">
        {text.slice(0, 160).replace(/\s+/g, " ")}
      </span>
    </span>
  );
}
