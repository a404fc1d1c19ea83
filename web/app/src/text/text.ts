import { signal } from "@preact/signals";
import type { enMore } from "./en-more.ts";
import { en } from "./en.ts";

/** A text, or its forms by the number `n` as `Intl.PluralRules` names them. */
export type Text = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>);
export type Key = keyof typeof en | keyof typeof enMore;
export type Catalogue = Record<Key, Text>;
export type Params = Record<string, string | number>;

/** English, as far as it is loaded. */
const english = { ...en } as unknown as Catalogue;

/** Adds texts of English that come with parts of the page that are loaded later. */
export function addEnglish(more: typeof enMore): void {
  Object.assign(english, more);
}

/** The languages there are, each by the name that its readers give it. */
export const LANGUAGES = {
  en: { name: "English", dir: "ltr", load: async (): Promise<Catalogue> => english },
  ar: { name: "العربية", dir: "rtl", load: async (): Promise<Catalogue> => (await import("./ar.ts")).ar },
} as const;
export type Language = keyof typeof LANGUAGES;

interface Spoken {
  language: Language;
  texts: Catalogue;
  plural: Intl.PluralRules;
}

const spoken = signal<Spoken>({ language: "en", texts: english, plural: new Intl.PluralRules("en") });

/** The language in use; to read it in a component is to be drawn anew when it changes. */
export function language(): Language {
  return spoken.value.language;
}

/** Switches to a language, and the page's direction with it. */
export async function speak(language: Language): Promise<void> {
  const texts = await LANGUAGES[language].load();
  spoken.value = { language, texts, plural: new Intl.PluralRules(language) };
  document.documentElement.lang = language;
  document.documentElement.dir = LANGUAGES[language].dir;
}

/** The language that the browser asks for, where we have it. */
export function preferred(wishes: readonly string[]): Language {
  for (const wish of wishes) {
    const short = wish.toLowerCase().split("-")[0]!;
    if (Object.hasOwn(LANGUAGES, short)) return short as Language;
  }
  return "en";
}

/** A text of the catalogue in the language in use, with `{name}` replaced. */
export function t(key: Key, params: Params = {}): string {
  const { texts, plural, language } = spoken.value;
  return filled(texts[key], params, plural, language);
}

export function filled(text: Text, params: Params, plural: Intl.PluralRules, language: string): string {
  let form: string;
  if (typeof text === "string") form = text;
  else form = text[plural.select(Number(params["n"] ?? 0))] ?? text.other;
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? value.toLocaleString(language) : isolated(value);
  });
}

const RTL = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Keeps a name of the other writing direction, or one with marks of it, from turning the words around it. */
function isolated(value: string): string {
  const turned = RTL.test(value) !== (globalThis.document?.documentElement.dir === "rtl");
  return turned || MARKS.test(value) ? `\u2068${value}\u2069` : value;
}
