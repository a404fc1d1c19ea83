import { useEffect, useState } from "preact/hooks";
import { live } from "../session/state.ts";
import { t } from "../text/text.ts";
import type { State } from "./types.ts";

/** How long a send may take before it is shown that it takes long. */
export const PATIENCE_MS = 1000;

/** How far a message of one's own has come; each state has a shape and a name. */
export function Receipt({ state, since }: { state: State | undefined; since: number | undefined }) {
  if (!state) return null;
  const waits = state === "sending" && !live.value;
  const label = t(waits ? "message.waiting" : `message.${state}`);
  return (
    <span class={`state state-${state}`} role="img" aria-label={label} title={label}>
      {state === "sending" && <Sending since={since ?? Date.now()} waits={waits} />}
      {state === "sent" && <Ticks d="M3 8.5l3.5 3.5L13 5" />}
      {(state === "delivered" || state === "read") && <Ticks d="M1 8.5L4.5 12 11 5M7.5 11l1 1L15 5" />}
      {state === "failed" && (
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <circle cx="8" cy="8" r="7" fill="none" stroke="currentColor" stroke-width="1.5" />
          <path d="M8 4.5v4.5M8 11.3v.2" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" />
        </svg>
      )}
    </span>
  );
}

function Ticks({ d }: { d: string }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d={d} fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}

/** A clock, and after a second something that turns, unless it waits for a connection. */
function Sending({ since, waits }: { since: number; waits: boolean }) {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), Math.max(0, PATIENCE_MS - (Date.now() - since)));
    return () => clearTimeout(timer);
  }, []);
  if (slow && !waits) return <span class="spinner" />;
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d="M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8zM8 4.5V8l2.3 1.5" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" />
    </svg>
  );
}
