import { useEffect, useRef } from "preact/hooks";
import { NoRoom, RoomPage } from "../conversation/RoomPage.tsx";
import { forgetConversations } from "../conversation/conversations.ts";
import { Sidebar } from "../rooms/Sidebar.tsx";
import { client, connection, listed, rooms, session } from "../session/state.ts";
import { readBlocks } from "../people/blocks.ts";
import { t } from "../text/text.ts";
import { tell, Toasts } from "../ui/toast.tsx";
import { faultText } from "../session/faults.ts";
import { forgetAll } from "../session/forget.ts";
import { Announcer } from "./announce.tsx";
import { ConnectionBar } from "./ConnectionBar.tsx";
import { close, dialog, panel, question } from "./dialogs.ts";
import { extras, lazy } from "./lazy.tsx";
import { patiently } from "./patiently.ts";
import { go, route } from "./route.ts";

const Panel = lazy(() => extras().then((m) => m.Panel));
const Dialogs = lazy(() => extras().then((m) => m.Dialogs));
const StrangeRoom = lazy(() => extras().then((m) => m.StrangeRoom));
const Question = lazy(() => extras().then((m) => m.Question));
const SignIn = lazy(() => extras().then((m) => m.SignIn));

/** The whole page. */
export function App() {
  const now = session.value;
  const signedIn = now.state === "signed_in" ? now.account_id : undefined;
  const was = useRef(false);
  useEffect(() => {
    if (now.state === "signed_in") was.current = true;
    if (now.state !== "signed_out" || !was.current) return;
    forgetAll();
    forgetConversations();
    close();
    panel.value = undefined;
    question.value?.answer(undefined);
    // Who was signed out by others finds the place again.
    if (now.handle === undefined) {
      was.current = false;
      go({ name: "home" }, true);
    }
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
    let ends: (() => void)[] = [];
    let over = false;
    patiently(extras).then(
      (later) => {
        if (!over) ends = [later.watchPresence(), later.watchKeys()];
      },
      () => undefined, // what is asked for next says so
    );
    return () => {
      over = true;
      ends.forEach((end) => end());
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
