import { useEffect, useRef } from "preact/hooks";
import { NoRoom } from "../conversation/NoRoom.tsx";
import { forgetConversations } from "../conversation/conversations.ts";
import { Sidebar } from "../rooms/Sidebar.tsx";
import { connection, listed, rooms, session } from "../session/state.ts";
import { readBlocks } from "../people/blocks.ts";
import { t } from "../text/text.ts";
import { Toasts } from "../ui/toast.tsx";
import { attempt } from "../session/faults.ts";
import { endOf, forgetAll } from "../session/forget.ts";
import { Announcer } from "./announce.tsx";
import { close, dialog, panel, question } from "./dialogs.ts";
import { keep, UNFINISHED } from "./kept.ts";
import { extras, lazy } from "./lazy.tsx";
import { patiently } from "./patiently.ts";
import { go, route, type Place } from "./route.ts";
import { SignIn } from "./SignIn.tsx";

/** Not for whoever has to sign in first. */
const conversation = () => import("../conversation/RoomPage.tsx");
const RoomPage = lazy(() => conversation().then((m) => m.RoomPage));
const ConnectionBar = lazy(() => extras().then((m) => m.ConnectionBar));
const Panel = lazy(() => extras().then((m) => m.Panel));
const Dialogs = lazy(() => extras().then((m) => m.Dialogs));
const StrangeRoom = lazy(() => extras().then((m) => m.StrangeRoom));
const Question = lazy(() => extras().then((m) => m.Question));

/** The whole page. */
export function App() {
  const now = session.value;
  const signedIn = now.state === "signed_in" ? now.account_id : undefined;
  const before = useRef<string | undefined>(undefined);
  useEffect(() => {
    // Also where the parts of the page that would forget it are not there.
    if (now.state === "signed_out" && now.handle === undefined) keep(UNFINISHED, null, "session");
    const end = endOf(before.current, now);
    if (now.state !== "unknown") before.current = now.handle;
    if (end) forgetAll(end === "account");
    if (!end || now.state === "signed_in") return;
    forgetConversations();
    close();
    panel.value = undefined;
    question.value?.answer(undefined);
    // Who was signed out by others finds the place again.
    if (end === "account") go({ name: "home" }, true);
  }, [now]);
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
    let end: (() => void) | undefined;
    let over = false;
    conversation().catch(() => undefined); // whoever opens a room is told
    patiently(extras).then(
      ({ beginAll, watchBlocks, watchKeys, watchPresence }) => {
        if (!over) end = beginAll([watchKeys, watchPresence, watchBlocks]);
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
    if (live && at.name === "invite") void attempt(async () => (await extras()).joinBy(at.code));
  }, [at, live]);
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
        <RoomPage key={room} room={room} state={state} at={at as Place} />
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
