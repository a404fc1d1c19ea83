const PATHS = {
  back: "M15 5l-7 7 7 7",
  bellOff: "M6 16V11a6 6 0 0 1 9-5.2M18 11v5l1.5 2H8M10 21h4M4 4l16 16",
  check: "M5 12.5l4.5 4.5L19 7.5",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h10v11H9zM5 15V4h10",
  down: "M12 5v14M6 13l6 6 6-6",
  edit: "M4 20l1-4L16.5 4.5l3 3L8 19z",
  find: "M10.5 17a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13zM20 20l-4.7-4.7",
  help: "M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.5v.2",
  info: "M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM12 11v5.5M12 7.5v.2",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L12 7M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7L12 17",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.2a6.5 6.5 0 0 1 3.5 5.8",
  plus: "M12 5v14M5 12h14",
  reply: "M10 7L4 12l6 5v-3.5c5 0 8 1.2 10 4.5-.4-5-3.5-8.3-10-8.5z",
  send: "M4 12l16-8-6 16-2.5-6.5zM11.5 13.5L20 4",
  talk: "M4 6a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-7l-5 4v-4a2 2 0 0 1-2-2zM8.5 10h.01M12 10h.01M15.5 10h.01",
  trash: "M5 7h14M10 4h4M7 7l1 13h8l1-13M10 11v5M14 11v5",
  unread: "M4 6h16v12H4zM4 7l8 6 8-6",
  up: "M12 19V5M6 11l6-6 6 6",
  warn: "M12 4L2.5 20h19zM12 10v4.5M12 17.3v.2",
} as const;

export type IconName = keyof typeof PATHS;
const DIRECTED: ReadonlySet<IconName> = new Set(["back", "reply", "send"]);

/** A drawing beside a text, or in a button that has a label of its own. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={`icon icon-${name}${DIRECTED.has(name) ? " icon-directed" : ""}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Logo() {
  return (
    <svg viewBox="0 0 64 64" aria-hidden="true">
      <rect width="64" height="64" rx="15" fill="#1f6f63" />
      <path d="M14 19a6 6 0 0 1 6-6h24a6 6 0 0 1 6 6v17a6 6 0 0 1-6 6H30L19 52v-10a6 6 0 0 1-5-6z" fill="#fff" />
      <circle cx="24" cy="28" r="3.4" fill="#1f6f63" />
      <circle cx="33" cy="28" r="3.4" fill="#1f6f63" />
      <circle cx="42" cy="28" r="3.4" fill="#e3a73b" />
    </svg>
  );
}
