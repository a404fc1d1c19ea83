import { useEffect, useState } from "preact/hooks";
import type { AnswerOf } from "@confab/client";
import { attempt, faultText } from "../session/faults.ts";
import { client, rooms } from "../session/state.ts";
import { close } from "../shell/dialogs.ts";
import { go } from "../shell/route.ts";
import { t } from "../text/text.ts";
import { Avatar } from "../ui/Avatar.tsx";
import { Dialog } from "../ui/Dialog.tsx";

type Channel = AnswerOf<"findChannels">["channels"][number];

/** Channels by a part of their name. */
export function Find() {
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<readonly Channel[]>();
  const [next, setNext] = useState<string>();
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState<string>();
  const read = async (after: string | undefined, signal?: AbortSignal) => {
    try {
      const input = { ...(query.trim() ? { query: query.trim() } : {}), ...(after === undefined ? {} : { after }), limit: 50 };
      const page = await client().api.ask("findChannels", input, signal);
      if (signal?.aborted) return;
      setFound((now) => (after === undefined ? page.channels : [...(now ?? []), ...page.channels]));
      setNext(page.next);
      setFault(undefined);
    } catch (error) {
      if (!signal?.aborted) setFault(faultText(error));
    }
  };
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => void read(undefined, stop.signal), 200);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query]);
  const enter = async (room: string) => {
    setBusy(room);
    const well = rooms.value.has(room) || (await attempt(() => client().api.ask("join", { room_id: room })));
    setBusy(undefined);
    if (!well) return;
    close();
    go({ name: "room", room });
  };
  return (
    <Dialog title={t("find.title")} onClose={close}>
      <input
        class="input"
        type="text"
        aria-label={t("find.hint")}
        placeholder={t("find.hint")}
        dir="auto"
        maxLength={80}
        autoFocus
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      {fault && <p class="fault" role="alert">{fault}</p>}
      {found?.length === 0 && <p class="hint" role="status">{t("find.none")}</p>}
      <ul>
        {found?.map((channel) => {
          const joined = rooms.value.has(channel.room_id);
          return (
            <li key={channel.room_id} class="list-row">
              <Avatar id={channel.room_id} name={channel.name} />
              <span class="person-words">
                <bdi>{channel.name}</bdi>
                <span class="hint" dir="auto">
                  {[t("room.members", { n: channel.member_count }), channel.description].filter(Boolean).join(" · ")}
                </span>
              </span>
              <button
                type="button"
                class={joined ? "button" : "button primary"}
                disabled={busy === channel.room_id}
                onClick={() => void enter(channel.room_id)}
              >
                {t(joined ? "find.open" : "room.join")}
                <span class="sr-only">{channel.name}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {next !== undefined && (
        <button type="button" class="button" onClick={() => void read(next)}>
          {t("app.showMore")}
        </button>
      )}
    </Dialog>
  );
}
