import assert from "node:assert/strict";
import { test } from "node:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ar } from "../src/text/ar.ts";
import { en as first } from "../src/text/en.ts";
import { enMore } from "../src/text/en-more.ts";
import { filled, preferred, type Catalogue, type Text } from "../src/text/text.ts";
import { daysBetween } from "../src/text/time.ts";

const en = { ...first, ...enMore };
const CATALOGUES: Record<string, Catalogue> = { en, ar };
const names = (text: Text) => new Set((typeof text === "string" ? [text] : Object.values(text)).flatMap((form) => form!.match(/\{\w+\}/g) ?? []));

test("every language has every text, and none besides", () => {
  const keys = Object.keys(en).sort();
  for (const [language, catalogue] of Object.entries(CATALOGUES)) {
    assert.deepEqual(Object.keys(catalogue).sort(), keys, language);
    for (const [key, text] of Object.entries(catalogue)) {
      for (const form of typeof text === "string" ? [text] : Object.values(text)) assert.ok(form!.trim() !== "", `${language} ${key}`);
    }
  }
});

test("every language has every plural form that it counts with", () => {
  for (const [language, catalogue] of Object.entries(CATALOGUES)) {
    const forms = new Set(Array.from({ length: 200 }, (_, n) => new Intl.PluralRules(language).select(n)));
    for (const [key, text] of Object.entries(catalogue)) {
      if (typeof text === "string") continue;
      for (const form of forms) assert.ok(form in text, `${language} ${key} ${form}`);
    }
  }
});

test("texts are filled with the same names in every language", () => {
  for (const [language, catalogue] of Object.entries(CATALOGUES)) {
    for (const [key, text] of Object.entries(catalogue)) {
      const wanted = names(en[key as keyof typeof en]);
      for (const name of names(text)) assert.ok(wanted.has(name), `${language} ${key} ${name}`);
      // A form for one thing may do without its number, not without a name.
      for (const name of wanted) if (name !== "{n}") assert.ok(names(text).has(name), `${language} ${key} lacks ${name}`);
    }
  }
});

test("every text is used", () => {
  const files = (folder: string): string[] =>
    readdirSync(folder).flatMap((name) => (statSync(join(folder, name)).isDirectory() ? files(join(folder, name)) : [join(folder, name)]));
  const sources = files(join(process.env["APP_ROOT"]!, "src"))
    .filter((file) => !/text\/(en|en-more|ar)\.ts$/.test(file))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  const unused = Object.keys(en).filter((key) => {
    if (sources.includes(`"${key}"`)) return false;
    return !["presence.", "message.", "role.", "audit.", "room."].some((family) => key.startsWith(family) && sources.includes(`\`${family}$`));
  });
  assert.deepEqual(unused, []);
});

test("a name of the other direction is kept apart", () => {
  const plural = new Intl.PluralRules("en");
  const before = globalThis.document;
  Object.assign(globalThis, { document: { documentElement: { dir: "ltr" } } });
  try {
    assert.equal(filled("{name} left", { name: "Ada" }, plural, "en"), "Ada left");
    assert.equal(filled("{name} left", { name: "سارة" }, plural, "en"), "\u2068سارة\u2069 left");
    assert.equal(filled("{name} left", { name: "\u202eada" }, plural, "en"), "\u2068\u202eada\u2069 left");
    assert.equal(filled("{name} left", {}, plural, "en"), "{name} left");
    assert.equal(filled("{name}", { name: "{n}", n: 3 }, plural, "en"), "{n}");
  } finally {
    Object.assign(globalThis, { document: before });
  }
});

test("the browser's first language that we have is taken", () => {
  assert.equal(preferred(["fr", "ar-EG", "en"]), "ar");
  assert.equal(preferred(["fr"]), "en");
  assert.equal(preferred(["constructor"]), "en");
});

test("days are those of the calendar, also where a clock changes", () => {
  assert.equal(daysBetween(new Date(2026, 2, 28, 23, 59).getTime(), new Date(2026, 2, 29, 0, 1).getTime()), 1);
  assert.equal(daysBetween(new Date(2026, 9, 24, 12).getTime(), new Date(2026, 9, 26, 1).getTime()), 2);
  assert.equal(daysBetween(new Date(2026, 9, 24, 0, 1).getTime(), new Date(2026, 9, 24, 23, 59).getTime()), 0);
});
