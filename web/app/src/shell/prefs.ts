import { effect, signal } from "@preact/signals";
import { forgets } from "../session/forget.ts";
import { LANGUAGES, preferred, speak, type Language } from "../text/text.ts";
import { keep, kept } from "./kept.ts";

/** What is chosen for this browser. */
export interface Prefs {
  theme: "system" | "light" | "dark";
  contrast: boolean;
  language: Language;
  enterSends: boolean;
  tellTyping: boolean;
  /** Of hands and people in emoji: one of `TONES`. */
  tone: string;
  notify: "all" | "mentions" | "none";
  /** Hours of the day between which nothing is notified; equal: none. */
  quietFrom: number;
  quietTo: number;
  /** Whether notifications were offered, so that it is not asked again. */
  offered: boolean;
  mutedRooms: readonly string[];
}

const KEY = "confab.prefs";
/** None, and the five modifiers that Unicode has. */
export const TONES: readonly string[] = ["", "\u{1f3fb}", "\u{1f3fc}", "\u{1f3fd}", "\u{1f3fe}", "\u{1f3ff}"];
/** How long the page waits for the texts of its language. */
const TEXTS_MS = 3_000;

export function defaults(languages: readonly string[]): Prefs {
  return {
    theme: "system",
    contrast: false,
    language: preferred(languages),
    enterSends: true,
    tellTyping: true,
    tone: "",
    notify: "mentions",
    quietFrom: 0,
    quietTo: 0,
    offered: false,
    mutedRooms: [],
  };
}

/** What was kept, as far as it can be understood. */
export function readPrefs(kept: string | null, base: Prefs): Prefs {
  let found: unknown;
  try {
    found = JSON.parse(kept ?? "{}");
  } catch {
    return base;
  }
  if (typeof found !== "object" || found === null) return base;
  const prefs: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(found)) {
    const known = prefs[name];
    if (known === undefined || typeof known !== typeof value || Array.isArray(known) !== Array.isArray(value)) continue;
    prefs[name] = value;
  }
  const read = prefs as unknown as Prefs;
  return {
    ...read,
    language: Object.hasOwn(LANGUAGES, read.language) ? read.language : base.language,
    tone: TONES.includes(read.tone) ? read.tone : base.tone,
    mutedRooms: read.mutedRooms.filter((id) => typeof id === "string"),
  };
}

const inBrowser = typeof window !== "undefined";
const base = defaults(inBrowser ? navigator.languages : []);
export const prefs = signal<Prefs>(inBrowser ? readPrefs(kept(KEY), base) : base);

/** Changes some of them, in every tab of the browser. */
export function prefer(changes: Partial<Prefs>): void {
  prefs.value = { ...prefs.value, ...changes };
  keep(KEY, JSON.stringify(prefs.value));
}

forgets((forGood) => {
  if (forGood && prefs.value.mutedRooms.length > 0) prefer({ mutedRooms: [] });
});

/** Whether a quiet hour is now. */
export function quiet(prefs: Pick<Prefs, "quietFrom" | "quietTo">, hour: number): boolean {
  const { quietFrom: from, quietTo: to } = prefs;
  return from <= to ? hour >= from && hour < to : hour >= from || hour < to;
}

/** Puts the look and the language into the page, now and whenever they change. */
export async function applyPrefs(): Promise<void> {
  window.addEventListener("storage", (event) => {
    if (event.key === KEY) prefs.value = readPrefs(event.newValue, base);
  });
  effect(() => {
    const { theme, contrast } = prefs.value;
    const root = document.documentElement;
    if (theme === "system") delete root.dataset["theme"];
    else root.dataset["theme"] = theme;
    if (contrast) root.dataset["contrast"] = "more";
    else delete root.dataset["contrast"];
  });
  let spoken: Language | undefined;
  let first: Promise<void> | undefined;
  effect(() => {
    const { language } = prefs.value;
    if (language === spoken) return;
    spoken = language;
    const done = speak(language);
    first ??= done;
  });
  // Without its texts, a language is English for now; those that come late are taken up then.
  const late = new Promise((done) => setTimeout(done, TEXTS_MS));
  await Promise.race([first?.catch(() => speak("en")), late]);
}
