import { effect, untracked } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { RoomState } from "@confab/client";
import { Composer, type ComposerHandle } from "../compose/Composer.tsx";
import { Log, type LogProps } from "../log/Log.tsx";
import type { MessageActs } from "../log/Message.tsx";
import type { Line } from "../log/types.ts";
import { typingText } from "../rooms/typing.ts";
import { client, live, nameOf, online, personOf, presence, statusOf, titleOf } from "../session/state.ts";
import { open, panel } from "../shell/dialogs.ts";
import { extras, lazy } from "../shell/lazy.tsx";
import { escapes } from "../shell/escapes.ts";
import { hashOf, type Place } from "../shell/route.ts";
import { language, t } from "../text/text.ts";
import { clock, moment } from "../text/time.ts";
import { Avatar } from "../ui/Avatar.tsx";
import { Icon } from "../ui/Icon.tsx";
import type { Choice } from "../ui/Menu.tsx";
import type { Conversation } from "./conversation.ts";
import { conversationOf, lookAt, lookAway, reading } from "./conversations.ts";
import { keepPlace, keptPlace } from "./place.ts";
import { learnReaders } from "./readers.ts";
import { rowsDrawn } from "./rowsDrawn.tsx";
import { SealedBar } from "./Sealed.tsx";
import { InsideBar, isOutside, isShut, SeatBar, WaitingPlace } from "./Seat.tsx";

const Menu = lazy(() => extras().then((m) => m.Menu));

/** In rooms of more people, members are listed when somebody asks for them. */
const FEW = 200;

type MenuAt = { label: string; choices: Choice[]; at: Element | { x: number; y: number } };

/** A room: its head, its log and where one writes. */
export function RoomPage({ room, state, at }: { room: string; state: RoomState; at: Place }) {
  const conversation = useMemo(() => conversationOf(room), [room]);
  const [menu, setMenu] = useState<MenuAt>();
  const [active, setActive] = useState<string>();
  const composer = useRef<ComposerHandle>(null);
  const unread = state.unread_from;

  const shut = isShut(state);
  const { seq } = at;
  const opened = useRef<Place | undefined>(undefined);

  useEffect(() => {
    lookAt(room);
    opened.current = at;
    const kept = seq === undefined ? keptPlace(room) : undefined;
    if (!shut) void conversation.open(seq !== undefined ? { seq, flash: true } : kept !== undefined ? { seq: kept, flash: false } : undefined);
    if (matchMedia("(hover: hover)").matches && seq === undefined) composer.current?.focus();
    const stopWatching = client().watch({ rooms: [room] });
    return () => {
      lookAway(room);
      stopWatching();
      setActive(undefined);
    };
  }, [conversation, shut]);
  useEffect(() => {
    if (live.value && !shut) void conversation.retry();
  }, [conversation, live.value, shut]);
  useEffect(() => {
    // Where one is already, one may go again; the first time the room is opened there.
    if (seq !== undefined && at !== opened.current) void conversation.jump(seq);
  }, [at]);
  useEffect(() => {
    const look = () => conversation.looked(conversation.screen.peek(), reading());
    // What lay before the messages may be gone.
    const end = effect(() => void (reading() && untracked(look)));
    window.addEventListener("focus", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      end();
      window.removeEventListener("focus", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, [conversation]);
  const { type, role, member_count } = state.room;
  const ready = live.value && !shut && !conversation.opening.value;
  useEffect(() => {
    if (!ready) return;
    void learnReaders(conversation);
    // Whether one is muted stands in the list of members alone.
    if (type !== "direct" && role === "member" && member_count <= FEW) conversation.view.loadMembers().catch(() => undefined);
  }, [conversation, ready]);
  useEffect(
    () =>
      escapes.add(() => {
        if (!conversation.news.value && state.unread === 0) return false;
        conversation.markRead();
        return true;
      }),
    [conversation, unread, state.unread],
  );

  const acts = useMemo(() => actsOf(conversation, composer, setMenu), [conversation]);
  const title = titleOf(state.room);
  const lang = language();
  const draw = rowsDrawn(conversation, state, active, acts, lang);

  return (
    <main class="room" tabIndex={-1}>
      <Head state={state} title={title} />
      <div class="log-place">
        {!shut && <Notices conversation={conversation} />}
        {shut ? (
          <WaitingPlace state={state} />
        ) : conversation.opening.value && conversation.days.value.length === 0 ? (
          <Skeletons />
        ) : conversation.failed.value && conversation.days.value.length === 0 ? (
          <Failed conversation={conversation} />
        ) : (
          <LogOf conversation={conversation} title={t("room.messages", { room: title })} state={state} draw={draw} onActive={setActive} acts={acts} />
        )}
        {!shut && <NewBelow conversation={conversation} unread={state.unread} />}
      </div>
      <div class="typing-line">{typingText(state.typing.map(nameOf))}</div>
      <InsideBar state={state} />
      <SealedBar room={state.room} />
      {isOutside(state) ? (
        <SeatBar state={state} />
      ) : (
        <Composer key={room} handle={composer} conversation={conversation} state={state} title={title} />
      )}
      {menu && <Menu label={menu.label} choices={menu.choices} at={menu.at} onClose={() => setMenu(undefined)} />}
    </main>
  );
}

function Head({ state, title }: { state: RoomState; title: string }) {
  const { room } = state;
  const peer = room.type === "direct" ? room.peer_id : undefined;
  const shown = panel.value === room.room_id;
  return (
    <header class="room-head">
      <a class="icon-button back" href={hashOf({ name: "home" })} aria-label={t("app.back")}>
        <Icon name="back" />
      </a>
      <Avatar id={peer ?? room.room_id} name={title} person={peer !== undefined} status={peer === undefined ? undefined : statusOf(peer)} />
      <div class="room-title">
        <h1 dir="auto">{title}</h1>
        <p dir="auto">
          <Subtitle room={room} />
        </p>
      </div>
      <button
        type="button"
        class="icon-button"
        aria-label={t("room.details")}
        title={t("room.details")}
        aria-expanded={shown}
        onClick={() => (panel.value = shown ? undefined : room.room_id)}
      >
        <Icon name={room.type === "direct" ? "info" : "people"} />
      </button>
    </header>
  );
}

function Subtitle({ room }: { room: RoomState["room"] }) {
  if (room.type === "direct") {
    const seen = presence.value.get(room.peer_id);
    if (!live.value) return <>{`@${personOf(room.peer_id).handle}`}</>;
    const words = [t(`presence.${statusOf(room.peer_id)}`)];
    if (seen?.last_seen !== undefined) words.push(t("presence.lastSeen", { time: moment(seen.last_seen) }));
    if (seen?.text) words.push(seen.text);
    return <>{words.join(" · ")}</>;
  }
  const count = online.value.get(room.room_id);
  const words = [t("room.members", { n: room.member_count })];
  if (live.value && count !== undefined && count > 0) words.push(t("room.online", { n: count }));
  if (room.description) words.push(room.description);
  return <>{words.join(" · ")}</>;
}

function Skeletons() {
  return (
    <div class="skeletons" role="status" aria-label={t("app.loading")}>
      {Array.from({ length: 8 }, (_, i) => (
        <div key={i} class="skeleton">
          <i />
          <i />
        </div>
      ))}
    </div>
  );
}

function Failed({ conversation }: { conversation: Conversation }) {
  return (
    <div class="nothing" role="alert">
      <p>{live.value ? t("room.readFailed") : t("room.notCached")}</p>
      <button type="button" class="button" onClick={() => void conversation.retry()}>
        {t("app.retry")}
      </button>
    </div>
  );
}

/** "↑ 37 new since 10:42", while the divider is above. */
function Notices({ conversation }: { conversation: Conversation }) {
  const news = conversation.news.value;
  const first = conversation.run.value.messages[0];
  if (!news || conversation.opening.value || !first) return null;
  const above = first.seq > news.seq || conversation.screen.value.dividerAbove;
  if (!above || news.count === 0) return null;
  return (
    <div class="pills top">
      <div class="pill new" data-testid="pill-up">
        <button type="button" onClick={() => void conversation.toNews()}>
          <Icon name="up" />
          {news.since ? t("log.newSince", { n: news.count, time: clock(news.since) }) : t("log.newBelow", { n: news.count })}
        </button>
        <button type="button" onClick={() => conversation.markRead()}>
          {t("log.markRead")}
        </button>
      </div>
    </div>
  );
}

function NewBelow({ conversation, unread }: { conversation: Conversation; unread: number }) {
  const { end, last } = conversation.screen.value;
  if (end || last === 0 || conversation.opening.value || conversation.goal.value) return null;
  return (
    <div class="pills bottom">
      <div class={unread > 0 ? "pill new" : "pill"} data-testid="pill-down">
        <button type="button" aria-label={unread > 0 ? undefined : t("log.toNewest")} onClick={() => void conversation.toEnd()}>
          <Icon name="down" />
          {unread > 0 && t("log.newBelow", { n: unread })}
        </button>
      </div>
    </div>
  );
}

function LogOf({
  conversation: c,
  title,
  state,
  draw,
  onActive,
  acts,
}: {
  conversation: Conversation;
  title: string;
  state: RoomState;
  draw: LogProps["message"];
  onActive: (key: string | undefined) => void;
  acts: MessageActs;
}) {
  const run = c.run.value;
  return (
    <Log
      place={`${c.room_id}/${c.place.value}`}
      title={title}
      days={c.days.value}
      hasOlder={run.hasOlder && run.messages.length > 0}
      hasNewer={run.hasNewer}
      loadingOlder={c.loadingOlder.value}
      loadingNewer={c.loadingNewer.value}
      goal={c.goal.value}
      start={<Before conversation={c} room={state.room} />}
      message={draw}
      onGoal={() => c.goalReached()}
      onOlder={() => void c.older()}
      onNewer={() => void c.newer()}
      onView={(view) => {
        c.looked(view, reading());
        keepPlace(c.room_id, view);
      }}
      onActive={onActive}
      onTouchMenu={(key, at) => {
        const line = lineOf(c, key);
        if (line) acts.menu(line, at);
      }}
    />
  );
}

function lineOf(conversation: Conversation, key: string): Line | undefined {
  for (const day of conversation.days.value) for (const row of day.rows) if (row.message.key === key) return row.message;
  return undefined;
}

/** Above the first line: where the room begins, or why it is not known. */
function Before({ conversation: c, room }: { conversation: Conversation; room: RoomState["room"] }) {
  if (c.run.value.messages.length > 0) return <Start room={room} />;
  if (c.failed.value) return <Failed conversation={c} />;
  return c.opening.value ? <Skeletons /> : <Start room={room} />;
}

function Start({ room }: { room: RoomState["room"] }) {
  const title = titleOf(room);
  return (
    <div class="log-start">
      <Avatar id={room.type === "direct" ? room.peer_id : room.room_id} name={title} person={room.type === "direct"} size="large" />
      <h2 dir="auto">{title}</h2>
      <p class="hint" dir="auto">
        {room.type === "direct" ? t("room.startDirect", { name: title }) : room.history === "all" ? t("room.start", { room: title }) : t("room.startJoin")}
      </p>
    </div>
  );
}

function actsOf(c: Conversation, composer: { current: ComposerHandle | null }, setMenu: (menu: MenuAt) => void): MessageActs {
  const room = c.room_id;
  const acts: MessageActs = {
    reply: (line) => composer.current?.reply(line),
    edit: (line) => composer.current?.edit(line),
    jump: (seq) => void c.jump(seq),
    retry: (line) => client().retry(line.client_id),
    discard: (line) => client().discard(line.client_id),
    versions: (line) => open({ name: "versions", room, line }),
    readers: (line) => open({ name: "readers", room, line }),
    person: async (account, at) => {
      const { personChoices } = await extras();
      const choices = personChoices(account, c.state.value?.room, c.members.value?.get(account));
      if (choices.length > 0) setMenu({ label: t("person.actions", { name: nameOf(account) }), at, choices });
    },
    menu: async (line, at) => {
      const { messageChoices } = await extras();
      setMenu({ label: t("message.actions"), at, choices: messageChoices(c, line, acts) });
    },
  };
  return acts;
}
