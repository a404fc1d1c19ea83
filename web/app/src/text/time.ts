import { language } from "./text.ts";
import { t } from "./text.ts";

const formats = new Map<string, Intl.DateTimeFormat>();

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = language() + JSON.stringify(options);
  let made = formats.get(key);
  if (!made) formats.set(key, (made = new Intl.DateTimeFormat(language(), options)));
  return made;
}

/** "10:42". */
export function clock(ts: number): string {
  return format({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(ts);
}

/** The whole local time with its zone, for the tooltip of a short one. */
export function full(ts: number): string {
  return format({ dateStyle: "full", timeStyle: "long" }).format(ts);
}

/** "Today", "Yesterday", "Monday, 3 March", with the year where it is another one. */
export function day(ts: number, now = Date.now()): string {
  const days = daysBetween(ts, now);
  if (days === 0) return t("log.today");
  if (days === 1) return t("log.yesterday");
  const year = new Date(ts).getFullYear() === new Date(now).getFullYear() ? {} : { year: "numeric" as const };
  return format({ weekday: "long", day: "numeric", month: "long", ...year }).format(ts);
}

/** As short as can be: a clock today, a weekday in this week, else a date. */
export function brief(ts: number, now = Date.now()): string {
  const days = daysBetween(ts, now);
  if (days <= 0) return clock(ts);
  if (days < 7) return format({ weekday: "short" }).format(ts);
  const year = new Date(ts).getFullYear() === new Date(now).getFullYear() ? {} : { year: "numeric" as const };
  return format({ day: "numeric", month: "short", ...year }).format(ts);
}

/** A moment in a sentence. */
export function moment(ts: number, now = Date.now()): string {
  if (daysBetween(ts, now) === 0) return clock(ts);
  return format({ day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(ts);
}

/** Whole days of the calendar from one time to another. */
export function daysBetween(from: number, to: number): number {
  const start = (ts: number) => {
    const date = new Date(ts);
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  };
  return Math.round((start(to) - start(from)) / 86_400_000);
}
