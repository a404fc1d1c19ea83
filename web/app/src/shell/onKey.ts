import { conversationOf } from "../conversation/conversations.ts";
import { ordered } from "../session/state.ts";
import { close, dialog, open, panel } from "./dialogs.ts";
import { escapes } from "./escapes.ts";
import { actionOf, neighbour } from "./keys.ts";
import { go, route } from "./route.ts";

/** Does what keys ask for, wherever in the page they are pressed. Answers what ends it. */
export function watchKeys(): () => void {
  window.addEventListener("keydown", onKey);
  return () => window.removeEventListener("keydown", onKey);
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
