import { useMemo, useState } from "preact/hooks";
import { ranked } from "../rooms/rank.ts";
import { lastAt, personOf, rooms, statusOf, titleOf } from "../session/state.ts";
import { close } from "../shell/dialogs.ts";
import { go } from "../shell/route.ts";
import { t } from "../text/text.ts";
import { Avatar } from "../ui/Avatar.tsx";
import { Dialog } from "../ui/Dialog.tsx";

const MOST = 30;

/** Goes to a room by some letters of its name. */
export function Switcher() {
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState(0);
  const all = rooms.value;
  const found = useMemo(() => {
    const named = [...all.values()].map((state) => ({
      name: titleOf(state.room),
      alias: state.room.type === "direct" ? personOf(state.room.peer_id).handle : undefined,
      at: lastAt(state),
      state,
    }));
    return ranked(named, query).slice(0, MOST);
  }, [all, query]);
  const take = (room: string) => {
    close();
    go({ name: "room", room });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      const next = (chosen + step + found.length) % Math.max(1, found.length);
      setChosen(next);
      document.getElementById(`switch-${next}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && found[chosen]) {
      event.preventDefault();
      take(found[chosen].state.room.room_id);
    }
  };
  return (
    <Dialog title={t("switcher.title")} kind="top switcher" bare onClose={close}>
      <input
        class="input"
        type="text"
        role="combobox"
        aria-label={t("switcher.hint")}
        placeholder={t("switcher.hint")}
        aria-expanded={found.length > 0}
        aria-controls="switch-list"
        aria-activedescendant={found.length > 0 ? `switch-${chosen}` : undefined}
        autocomplete="off"
        dir="auto"
        autoFocus
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      {found.length === 0 ? (
        <p class="dialog-body hint" role="status">
          {t("switcher.none")}
        </p>
      ) : (
        <div class="switcher-list" role="listbox" id="switch-list" aria-label={t("rooms.title")}>
          {found.map(({ name, state }, i) => {
            const peer = state.room.type === "direct" ? state.room.peer_id : undefined;
            return (
              <div
                key={state.room.room_id}
                id={`switch-${i}`}
                role="option"
                aria-selected={i === chosen}
                class="menu-item"
                onClick={() => take(state.room.room_id)}
              >
                <Avatar id={peer ?? state.room.room_id} name={name} person={peer !== undefined} size="small" status={peer === undefined ? undefined : statusOf(peer)} />
                <bdi class="grow">{name}</bdi>
                {state.unread > 0 && <span class="badge">{state.unread}</span>}
              </div>
            );
          })}
        </div>
      )}
    </Dialog>
  );
}
