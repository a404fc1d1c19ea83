import assert from "node:assert/strict";
import { test } from "node:test";
import { completed, completing } from "../src/compose/completion.ts";
import { Completions } from "../src/compose/completions.ts";
import { emoji } from "../src/compose/emoji.ts";
import type { PendingSend } from "@confab/client";
import { suggestions } from "../src/compose/suggestions.ts";
import { bodyOf, BODY_BYTES, excess, limitedUntil, linked, slowUntil } from "../src/compose/text.ts";
import { wordDiff } from "../src/dialogs/diff.ts";
import { handlesIn } from "../src/people/lookup.ts";
import { begin, unfinished } from "../src/compose/unfinished.ts";
import { forgetAll } from "../src/session/forget.ts";
import { people, session } from "../src/session/state.ts";
import { close, open } from "../src/shell/dialogs.ts";
import { isIdle } from "../src/shell/update.ts";
import { enMore } from "../src/text/en-more.ts";
import { addEnglish } from "../src/text/text.ts";
import { ranked } from "../src/rooms/rank.ts";
import { typingText } from "../src/rooms/typing.ts";

test("a body is what was written, without what the server refuses", () => {
  assert.equal(bodyOf("a\r\nb\u0000\u0007c\ud800"), "a\nbc");
  assert.equal(bodyOf("  code\n\tmore \n\n"), "  code\n\tmore");
  assert.equal(bodyOf(" \n\t "), undefined);
  assert.equal(bodyOf("😀"), "😀");
});

test("the length of a body counts in bytes", () => {
  assert.equal(excess("x".repeat(BODY_BYTES)), 0);
  assert.equal(excess("é".repeat(BODY_BYTES / 2 + 1)), 2);
});

test("what the server refused for now keeps one from sending more", () => {
  const send = (code: string, more: Partial<PendingSend>): PendingSend =>
    ({ client_id: "c", room_id: "r", body: "b", made_at: 1, state: "waiting", error: { code, message: "", retryable: true }, ...more }) as PendingSend;
  assert.equal(limitedUntil([]), 0);
  assert.equal(limitedUntil([send("rate_limited", { retry_at: 5 }), send("slow_mode", { retry_at: 9 })]), 9);
  assert.equal(limitedUntil([send("unavailable", { retry_at: 5 }), send("rate_limited", { state: "failed" })]), 0);
});

test("slow mode holds for members alone", () => {
  assert.equal(slowUntil(30, "member", 1000), 31_000);
  assert.equal(slowUntil(30, "admin", 1000), 0);
  assert.equal(slowUntil(undefined, "member", 1000), 0);
  assert.equal(slowUntil(30, "member", undefined), 0);
});

test("@ completes at once, and : after two letters", () => {
  assert.deepEqual(completing("hi @", 4), { sign: "@", query: "", from: 3, to: 4 });
  assert.deepEqual(completing("hi @ad and", 6), { sign: "@", query: "ad", from: 3, to: 6 });
  assert.equal(completing("mail a@ad", 9), undefined);
  assert.equal(completing("12:3", 4), undefined);
  assert.equal(completing(":t", 2), undefined);
  assert.deepEqual(completing("ok :ta", 6), { sign: ":", query: "ta", from: 3, to: 6 });
});

test("a completion replaces what asked for it and leaves one space", () => {
  const at = completing("hi @ad there", 6)!;
  assert.deepEqual(completed("hi @ad there", at, "@ada"), { text: "hi @ada there", caret: 8 });
  assert.deepEqual(completed("@ad", completing("@ad", 3)!, "@ada"), { text: "@ada ", caret: 5 });
});

test("emoji are found by the beginning of their name first", () => {
  assert.equal(emoji("tada", 8, "\u{1f3fd}")[0]!.insert, "🎉");
  const found = emoji("heart", 50, "");
  assert.equal(found[0]!.label, ":heart:");
  assert.equal(new Set(found.map((one) => one.insert)).size, found.length);
});

test("hands have the skin tone that was chosen", () => {
  const first = (name: string, tone: string) => emoji(name, 1, tone)[0]!.insert;
  assert.equal(first("thumbsup", ""), "\u{1f44d}");
  assert.equal(first("thumbsup", "\u{1f3fd}"), "\u{1f44d}\u{1f3fd}");
  assert.equal(first("victory", "\u{1f3fd}"), "\u{270c}\u{1f3fd}");
});

test("rooms are ranked by how their name begins, then by what is recent", () => {
  const rooms = [
    { name: "garden", at: 1 },
    { name: "Zoë", at: 2 },
    { name: "Red garden", at: 3 },
    { name: "gatherings", at: 4 },
  ];
  assert.deepEqual(ranked(rooms, "gar").map((room) => room.name), ["garden", "Red garden", "gatherings"]);
  assert.deepEqual(ranked(rooms, "ga").map((room) => room.name), ["gatherings", "garden", "Red garden"]);
  assert.deepEqual(ranked(rooms, "zoe").map((room) => room.name), ["Zoë"]);
  assert.deepEqual(ranked(rooms, "").map((room) => room.name), ["gatherings", "Red garden", "Zoë", "garden"]);
  assert.deepEqual(ranked(rooms, "rgn").map((room) => room.name), ["Red garden"]);
});

test("handles are read with or without @, each once", () => {
  assert.deepEqual(handlesIn(" @Ada, bob;ada\n@cy "), ["ada", "bob", "cy"]);
});

test("a diff names the words that came and went", () => {
  assert.deepEqual(wordDiff("the red fox", "the blue fox"), [
    { kind: "same", text: "the " },
    { kind: "removed", text: "red" },
    { kind: "added", text: "blue" },
    { kind: "same", text: " fox" },
  ]);
  assert.deepEqual(wordDiff("", "x"), [{ kind: "added", text: "x" }]);
});

test("a diff, put together, is both texts", () => {
  let state = 7;
  const random = (n: number) => (state = (state * 1103515245 + 12345) & 0x7fffffff) % n;
  const text = () => Array.from({ length: random(30) }, () => ["a", "b", "c d", "é", "\n", "."][random(6)]).join(" ");
  for (let i = 0; i < 500; i++) {
    const [a, b] = [text(), text()];
    const changes = wordDiff(a, b);
    assert.equal(changes.filter((c) => c.kind !== "added").map((c) => c.text).join(""), a);
    assert.equal(changes.filter((c) => c.kind !== "removed").map((c) => c.text).join(""), b);
  }
});

test("up to three who type are named, more are several", () => {
  assert.equal(typingText([]), "");
  assert.equal(typingText(["Ada"]), "Ada is typing …");
  assert.equal(typingText(["Ada", "Bob", "Cy"]), "Ada, Bob and Cy are typing …");
  assert.equal(typingText(["a", "b", "c", "d"]), "Several people are typing …");
});

test("an edit and a reply are there again after a reload, of the same account, and no reload takes them", () => {
  const items = new Map<string, string>();
  const storage = { getItem: (key: string) => items.get(key) ?? null, setItem: (key: string, text: string) => items.set(key, text), removeItem: (key: string) => items.delete(key) };
  Object.defineProperty(globalThis, "sessionStorage", { configurable: true, value: storage });
  const account = (account_id: string) => ((session as { value: unknown }).value = { state: "signed_in", account_id, device_id: "d", handle: "h" });
  const line = { key: "a/1", seq: 1, sender_id: "a", client_id: "1", ts: 1, body: "as it was" };
  const reload = () => {
    const [[key, text]] = [...items] as [[string, string]];
    forgetAll(true);
    assert.equal(items.size, 0, "nothing of an account stays");
    items.set(key, text);
  };
  try {
    account("a");
    assert.equal(isIdle(), true);
    begin("r", { replying: line });
    begin("r", { editing: line, text: "as it" });
    begin("r", { text: "as it is" });
    reload();
    assert.deepEqual(unfinished("r"), { replying: line, editing: line, text: "as it is" });
    assert.equal(isIdle(), false);
    begin("r", { editing: undefined });
    assert.equal(unfinished("r").text, undefined);
    reload();
    account("b");
    assert.deepEqual(unfinished("r"), {});
    open({ name: "create" });
    assert.equal(isIdle(), false);
    close();
    assert.equal(isIdle(), true);
  } finally {
    Reflect.deleteProperty(globalThis, "sessionStorage");
    (session as { value: unknown }).value = { state: "unknown" };
    forgetAll(true);
  }
});

test("an address that is pasted on words stands behind them", () => {
  assert.equal(linked("the docs ", " https://example.org/a\n"), "the docs (https://example.org/a)");
  assert.equal(linked("", "https://example.org/"), undefined);
  assert.equal(linked("docs", "not an address"), undefined);
  assert.equal(linked("docs", "https://a.example https://b.example"), undefined);
  assert.equal(linked("https://old.example/", "https://new.example/"), undefined);
  assert.equal(linked("two\nlines", "https://example.org/"), undefined);
});

test("whoever is known can be mentioned in a room whose members are not listed", () => {
  addEnglish(enMore);
  const ada = { account_id: "a", handle: "ada", display_name: "Ada" };
  const ben = { account_id: "b", handle: "ben", display_name: "Ben" };
  (people as { value: unknown }).value = new Map([["a", ada], ["b", ben]]);
  const large = { room_id: "r", type: "channel", name: "Large", role: "member", member_count: 5000 } as never;
  const at = (query: string) => ({ sign: "@", query, from: 0, to: query.length + 1 }) as const;
  const found = (query: string, members?: ReadonlyMap<string, never>) =>
    suggestions(at(query), large, members, () => {}).map(({ insert, hint }) => `${insert} ${hint}`);
  assert.deepEqual(found("be"), ["@ben @ben"]);
  assert.deepEqual(found("").sort(), ["@ada @ada", "@ben @ben"]);
  assert.deepEqual(found("be", new Map([["a", ada as never]])), ["@ben @ben · not in this room"]);
  assert.deepEqual(found("", new Map([["a", ada as never]])), ["@ada @ada"]);
});

test("until it is known who is in a room, @ names people before all", () => {
  addEnglish(enMore);
  (people as { value: unknown }).value = new Map([["b", { account_id: "b", handle: "ben", display_name: "Ben" }]]);
  const small = { room_id: "r", type: "group", name: "Small", role: "member", member_count: 5 } as never;
  const at = { sign: "@", query: "", from: 0, to: 1 } as const;
  assert.deepEqual(suggestions(at, small, undefined, () => {}).map(({ insert }) => insert), ["@ben", "@all", "@online"]);
});

test("a key takes what completes the text as it is, not as it was when the list came", () => {
  const names = ["@all", "@ben", "@bert"];
  const completions = new Completions(({ query }) =>
    names.filter((name) => name.startsWith(`@${query}`)).map((insert) => ({ sign: "@", label: insert, hint: "", insert })),
  );
  assert.equal(completions.look("by @", 4), true);
  assert.deepEqual(completions.take("by @"), { text: "by @all ", caret: 8 });
  completions.look("by @b", 5);
  completions.look("by @be", 6);
  assert.deepEqual(completions.take("by @be"), { text: "by @ben ", caret: 8 });
  completions.step(1);
  names.unshift("@beate");
  completions.look("by @be", 6);
  assert.deepEqual(completions.take("by @be"), { text: "by @bert ", caret: 9 });
  completions.step(-1);
  completions.look("by @ber", 7);
  assert.equal(completions.chosen, 0);
  assert.equal(completions.close(), true);
  assert.equal(completions.take("by @ber"), undefined);
  assert.equal(completions.look("by @ber", 7), false, "it was closed, and names that arrive do not open it");
  assert.equal(completions.take("by @ber"), undefined);
  assert.equal(completions.look("by @be", 6), true, "something else is written");
  completions.close();
  completions.look("by ", 3);
  assert.equal(completions.look("by @be", 6), true, "it is written anew");
});
