/** What a message needs to be set beside others. */
export interface Setting {
  key: string;
  seq?: number | undefined;
  sender_id: string;
  ts: number;
  deleted_at?: number | undefined;
}

/** A message as it stands among others: `first` begins a group of its author. */
export interface Row<M extends Setting> {
  message: M;
  first: boolean;
  /** Whether the divider of what is new stands above it. */
  divider: boolean;
}

/** The messages of a day. The key stays when older ones join, so their nodes stay too. */
export interface Day<M extends Setting> {
  key: string;
  ts: number;
  rows: Row<M>[];
}

/** Messages of one author stand together while no more than this lies between two of them. */
export const GROUP_MS = 5 * 60_000;

/**
 * Sets messages under days, groups them by author and puts the divider above the first whose seq is
 * at least `unreadFrom`. `dayOf` says in which day of the reader a time falls.
 */
export function daysOf<M extends Setting>(
  messages: readonly M[],
  unreadFrom: number | undefined,
  dayOf: (ts: number) => string = localDay,
): Day<M>[] {
  const days: Day<M>[] = [];
  const times = new Map<string, number>();
  let before: M | undefined;
  let dayBefore = "";
  let divided = unreadFrom === undefined;
  for (const message of messages) {
    const day = dayOf(message.ts);
    if (!before || day !== dayBefore) {
      // A clock set back may bring a day twice.
      const time = (times.get(day) ?? 0) + 1;
      times.set(day, time);
      days.push({ key: time === 1 ? day : `${day}-${time}`, ts: message.ts, rows: [] });
    }
    const divider = !divided && message.seq !== undefined && message.seq >= unreadFrom!;
    divided ||= divider;
    const rows = days.at(-1)!.rows;
    rows.push({ message, divider, first: divider || rows.length === 0 || !groups(before!, message) });
    before = message;
    dayBefore = day;
  }
  return days;
}

function groups(before: Setting, message: Setting): boolean {
  return (
    before.sender_id === message.sender_id &&
    message.ts - before.ts <= GROUP_MS &&
    before.deleted_at === undefined &&
    message.deleted_at === undefined
  );
}

export function localDay(ts: number): string {
  const date = new Date(ts);
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
}
