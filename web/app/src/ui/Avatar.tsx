import { t } from "../text/text.ts";
import { memo } from "../shell/memo.ts";

export type Status = "online" | "away" | "offline";

/** Two letters of a name: of its first and last word, as readers of any script would count letters. */
export function initials(name: string): string {
  const words = name.replace(/[\p{C}\p{P}\p{S}]+/gu, " ").trim().split(/\s+/u).filter(Boolean);
  const letters = words.length > 1 ? [words[0]!, words.at(-1)!] : words;
  return letters.map((word) => first(word)).join("").toLocaleUpperCase() || "·";
}

function first(word: string): string {
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(word)) {
    // A heap of combining marks is no letter.
    return segment.length > 8 ? [...segment][0]! : segment;
  }
  return "";
}

/** One of twelve colours, the same for the same id (FNV-1a). */
export function hueOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % 12;
}

interface Props {
  id: string;
  name: string;
  person?: boolean;
  size?: "small" | "large";
  status?: Status | undefined;
}

export const Avatar = memo(function Avatar({ id, name, person, size, status }: Props) {
  return (
    <span class={`avatar hue-${hueOf(id)}${person ? " person" : ""}${size ? ` ${size}` : ""}`}>
      <span aria-hidden="true">{initials(name)}</span>
      {status && <Presence status={status} />}
    </span>
  );
});

/** A full disc, a half one or a ring, with its name for those who do not see it. */
export function Presence({ status }: { status: Status }) {
  return (
    <svg class={`presence presence-${status}`} viewBox="0 0 12 12" role="img" aria-label={t(`presence.${status}`)}>
      {status === "online" && <circle cx="6" cy="6" r="6" fill="currentColor" />}
      {status === "away" && <path d="M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1zm0 0v10" fill="none" stroke="currentColor" stroke-width="2" />}
      {status === "away" && <path d="M6 1a5 5 0 0 0 0 10z" fill="currentColor" />}
      {status === "offline" && <circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" stroke-width="2.5" />}
    </svg>
  );
}
