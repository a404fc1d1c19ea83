/** What a key asks for, wherever in the page it is pressed. */
export type Action =
  | "switcher"
  | "help"
  | "previous"
  | "next"
  | "previousUnread"
  | "nextUnread"
  | "escape"
  | "regions"
  | "regionsBack"
  | "newest";

export interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  isComposing?: boolean;
  /** Whether letters are being written where it is pressed. */
  writing: boolean;
}

/** The action of a press, or none. While a word is composed (IME), keys belong to that. */
export function actionOf(press: Press): Action | undefined {
  if (press.isComposing || press.key === "Process") return undefined;
  const ctrl = press.ctrlKey !== press.metaKey;
  const plain = !press.ctrlKey && !press.metaKey && !press.altKey;
  const key = press.key.toLowerCase();
  if (ctrl && !press.altKey && !press.shiftKey && key === "k") return "switcher";
  if (ctrl && !press.altKey && (key === "/" || key === "?")) return "help";
  if (plain && key === "?" && !press.writing) return "help";
  if (press.altKey && !press.ctrlKey && !press.metaKey) {
    if (key === "arrowup") return press.shiftKey ? "previousUnread" : "previous";
    if (key === "arrowdown") return press.shiftKey ? "nextUnread" : "next";
  }
  if (key === "escape" && plain && !press.shiftKey) return "escape";
  if (key === "f6" && !press.altKey && !press.metaKey) return press.shiftKey ? "regionsBack" : "regions";
  if (key === "end" && plain && !press.shiftKey && !press.writing) return "newest";
  return undefined;
}

/** The room that comes after or before one in a list, or the nearest unread one; wraps around. */
export function neighbour<R extends { room_id: string; unread: number }>(
  rooms: readonly R[],
  current: string | undefined,
  step: 1 | -1,
  unreadOnly: boolean,
): R | undefined {
  const n = rooms.length;
  const at = rooms.findIndex((room) => room.room_id === current);
  const from = at < 0 ? (step === 1 ? -1 : n) : at;
  for (let i = 1; i <= n; i++) {
    const room = rooms[(((from + step * i) % n) + n) % n]!;
    if (room.room_id !== current && (!unreadOnly || room.unread > 0)) return room;
  }
  return undefined;
}
