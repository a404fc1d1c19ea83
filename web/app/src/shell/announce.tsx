import { signal } from "@preact/signals";
import type { Line } from "../log/types.ts";
import { forgets } from "../session/forget.ts";
import { nameOf, selfId } from "../session/state.ts";
import { t } from "../text/text.ts";

const said = signal("");
let waiting: Line[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
const PAUSE_MS = 700;

/** Tells a screen reader of a new message of somebody else; of many at once only how many. */
export function announce(line: Line): void {
  if (line.sender_id === selfId() || line.body === undefined) return;
  waiting.push(line);
  timer ??= setTimeout(() => {
    timer = undefined;
    const lines = waiting;
    waiting = [];
    say(
      lines.length > 3
        ? t("log.announceMany", { n: lines.length })
        : lines.map((one) => t("log.announce", { name: nameOf(one.sender_id), text: one.body!.slice(0, 300) })).join("\n"),
    );
  }, PAUSE_MS);
}

forgets(() => {
  waiting = [];
  said.value = "";
});

/** Tells a screen reader something, when it has time. */
export function say(text: string): void {
  // The same text twice is told twice.
  said.value = said.value === text ? `${text}\u00a0` : text;
}

export function Announcer() {
  return (
    <div class="sr-only" aria-live="polite" aria-atomic="true" data-testid="announcer">
      {said.value}
    </div>
  );
}
