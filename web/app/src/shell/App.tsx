import { useEffect } from "preact/hooks";
import { NoRoom, RoomPage } from "../conversation/RoomPage.tsx";
import { forgetConversations } from "../conversation/conversations.ts";
import { Sidebar } from "../rooms/Sidebar.tsx";
import { client, connection, listed, ordered, rooms, session } from "../session/state.ts";
import { readBlocks } from "../people/blocks.ts";
import { t } from "../text/text.ts";
import { tell, Toasts } from "../ui/toast.tsx";
import { faultText } from "../session/faults.ts";
import { Announcer } from "./announce.tsx";
import { ConnectionBar } from "./ConnectionBar.tsx";
import { close, dialog, open, panel, question } from "./dialogs.ts";
import { escapes } from "./escapes.ts";
import { actionOf, neighbour } from "./keys.ts";
import { extras, lazy } from "./lazy.tsx";
import { patiently } from "./patiently.ts";
import { go, route } from "./route.ts";
import { conversationOf } from "../conversation/conversations.ts";

const Panel = lazy(() => extras().then((m) => m.Panel));
const Dialogs = lazy(() => extras().then((m) => m.Dialogs));
const StrangeRoom = lazy(() => extras().then((m) => m.StrangeRoom));
const Question = lazy(() => extras().then((m) => m.Question));
const SignIn = lazy(() => extras().then((m) => m.SignIn));

/** The whole page. */
export function App() {
  const now = session.value;
  const signedIn = now.state === "signed_in" ? now.account_id : undefined;
  useEffect(() => {
    if (signedIn !== undefined) return;
    forgetConversations();
    close();
    panel.value = undefined;
    question.value?.answer(undefined);
  }, [signedIn]);
  return (
    <>
      {now.state === "signed_out" && <SignIn why={now.why} handle={now.handle} />}
      {signedIn !== undefined && <Shell key={signedIn} />}
      {question.value && <Question key={question.value.text} question={question.value} />}
      <Announcer />
      <Toasts />
    </>
  );
}

function Shell() {
  const at = route.value;
  const room = at.name === "room" ? at.room : undefined;
  const state = room === undefined ? undefined : rooms.value.get(room);
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  useEffect(() => {
    let end: (() => void) | undefined;
    let over = false;
    patiently(extras).then(
      (later) => {
        if (!over) end = later.watchPresence();
      },
      () => undefined, // what is asked for next says so
    );
    return () => {
      over = true;
      end?.();
    };
  }, []);
  const live = connection.value.state === "live";
  useEffect(() => {
    if (live) void readBlocks();
  }, [live]);
  useEffect(() => {
    if (at.name === "invite") void joinBy(at.code);
  }, [at]);
  useEffect(() => {
    if (panel.value !== undefined && panel.value !== room) panel.value = undefined;
  }, [room]);
  return (
    <div class="shell" data-pane={room === undefined ? "list" : "room"}>
      {state && (
        <a class="skip" href="#composer" onClick={skip}>
          {t("app.skip")}
        </a>
      )}
      <ConnectionBar />
      <Sidebar />
      {room === undefined ? (
        <NoRoom />
      ) : state ? (
        <RoomPage key={room} room={room} state={state} seq={at.name === "room" ? at.seq : undefined} />
      ) : listed.value ? (
        <StrangeRoom key={room} room={room} />
      ) : (
        <main class="room" tabIndex={-1} />
      )}
      {state && panel.value === room && <Panel key={room} state={state} />}
      {dialog.value && <Dialogs open={dialog.value} />}
    </div>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("composer")?.focus();
}

async function joinBy(code: string): Promise<void> {
  try {
    const room = await client().api.ask("joinByInvite", { code });
    go({ name: "room", room: room.room_id }, true);
  } catch (error) {
    tell(error instanceof Error && "code" in error && (error.code === "not_found" || error.code === "gone") ? t("invite.gone") : faultText(error), undefined, 8000);
    go({ name: "home" }, true);
  }
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || document.querySelector(".menu")) return;
  const target = event.target as HTMLElement;
  const writing = target.matches("input, textarea, select, [contenteditable]");
  const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing } = event;
  const action = actionOf({ key, ctrlKey, metaKey, altKey, shiftKey, isComposing, writing });
  if (!action) return;
  const modal = document.querySelector("dialog[open]") !== null;
  if (modal && action !== "switcher") return;
  event.preventDefault();
  const room = route.value.name === "room" ? route.value.room : undefined;
  switch (action) {
    case "switcher":
      if (dialog.value?.name === "switcher") close();
      else open({ name: "switcher" });
      break;
    case "help":
      open({ name: "keys" });
      break;
    case "previous":
    case "next":
    case "previousUnread":
    case "nextUnread": {
      const list = ordered.value.map((state) => ({ room_id: state.room.room_id, unread: state.unread }));
      const step = action === "next" || action === "nextUnread" ? 1 : -1;
      const to = neighbour(list, room, step, action.endsWith("Unread"));
      if (to) go({ name: "room", room: to.room_id });
      break;
    }
    case "escape":
      if (panel.value !== undefined) panel.value = undefined;
      else if (!escapes.press() && room !== undefined) document.getElementById("composer")?.focus();
      break;
    case "newest":
      if (room !== undefined) void conversationOf(room).toEnd();
      break;
    case "regions":
      region(1);
      break;
    case "regionsBack":
      region(-1);
      break;
  }
}

/** Moves the focus to the next part of the page: rooms, messages, where one writes, details. */
function region(step: 1 | -1): void {
  const parts = [...document.querySelectorAll<HTMLElement>(".sidebar, .log, #composer, .panel")].filter((part) => part.offsetParent !== null || part.getClientRects().length > 0);
  const now = parts.findIndex((part) => part.contains(document.activeElement));
  const next = parts[(now + step + parts.length) % parts.length];
  const current = next?.matches(".sidebar") ? next.querySelector<HTMLElement>("[aria-current=page]") : undefined;
  (current ?? next)?.focus();
}

