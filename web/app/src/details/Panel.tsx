import { useEffect, useRef, useState } from "preact/hooks";
import type { ComponentType } from "preact";
import type { RoomState } from "@confab/client";
import { rules } from "../session/state.ts";
import { panel } from "../shell/dialogs.ts";
import { panelCovers } from "../shell/narrow.ts";
import { t, type Key } from "../text/text.ts";
import { Icon } from "../ui/Icon.tsx";
import { About } from "./About.tsx";
import { Audit } from "./Audit.tsx";
import { Bans } from "./Bans.tsx";
import { Invites } from "./Invites.tsx";
import { Members } from "./Members.tsx";
import { SeatList } from "./SeatList.tsx";

export interface TabProps {
  state: RoomState;
}

/** Beside the conversation: who is in the room, what it is, and what its owners may do. */
export function Panel({ state }: TabProps) {
  const tabs: [Key, ComponentType<TabProps> | ((props: TabProps) => unknown)][] = [];
  if (state.room.type !== "direct") tabs.push(["details.members", Members]);
  if (state.room.capacity !== undefined) tabs.push(["details.seats", SeatList]);
  tabs.push(["details.about", About]);
  if (rules(state.room)) tabs.push(["details.invites", Invites], ["details.bans", Bans]);
  if (state.room.role === "owner" && state.room.type !== "direct") tabs.push(["details.audit", Audit]);
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const aside = ref.current!;
    if (panelCovers.value) aside.focus();
    return () => {
      if (aside.contains(document.activeElement)) document.querySelector<HTMLElement>(".room-head [aria-expanded]")?.focus();
    };
  }, []);
  const [chosen, setChosen] = useState<Key>(tabs[0]![0]);
  const at = Math.max(0, tabs.findIndex(([key]) => key === chosen));
  const Shown = tabs[at]![1] as ComponentType<TabProps>;
  const onKeyDown = (event: KeyboardEvent) => {
    const rtl = document.documentElement.dir === "rtl" ? -1 : 1;
    const step = event.key === "ArrowRight" ? rtl : event.key === "ArrowLeft" ? -rtl : 0;
    if (step === 0) return;
    const next = tabs[(at + step + tabs.length) % tabs.length]![0];
    setChosen(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <aside
      ref={ref}
      class="panel"
      aria-label={t("room.details")}
      tabIndex={-1}
      onFocusOut={(event) => {
        // What lies beneath it cannot be seen.
        if (panelCovers.value && (event.relatedTarget as Element | null)?.closest(".room")) panel.value = undefined;
      }}
    >
      <div class="panel-head">
        <h2>{t("room.details")}</h2>
        <button type="button" class="icon-button" aria-label={t("app.close")} onClick={() => (panel.value = undefined)}>
          <Icon name="close" />
        </button>
      </div>
      {tabs.length > 1 && (
        <div class="tabs" role="tablist" aria-label={t("room.details")} onKeyDown={onKeyDown}>
          {tabs.map(([key], i) => (
            <button
              key={key}
              id={`tab-${key}`}
              type="button"
              role="tab"
              class="tab"
              aria-selected={i === at}
              aria-controls="panel-body"
              tabIndex={i === at ? 0 : -1}
              onClick={() => setChosen(key)}
            >
              {t(key)}
            </button>
          ))}
        </div>
      )}
      <div class="panel-body" id="panel-body" role={tabs.length > 1 ? "tabpanel" : undefined} aria-labelledby={tabs.length > 1 ? `tab-${tabs[at]![0]}` : undefined} tabIndex={0}>
        <Shown state={state} />
      </div>
    </aside>
  );
}
