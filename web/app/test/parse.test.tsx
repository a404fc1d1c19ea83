import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { VNode } from "preact";
import { Body } from "../src/body/Body.tsx";
import { parseBody } from "../src/body/parse.ts";
import { Avatar, initials } from "../src/ui/Avatar.tsx";
import hostile from "./hostile.json";

const mentioned = { handles: new Map([["ada", "a1"], ["ann.", "a2"], ["ann", "a3"], ["all", "@all"]]), self: "a1" };
const kinds = (body: string) => parseBody(body, mentioned).map((piece) => [piece.kind, piece.text]);
const links = (body: string) => parseBody(body).flatMap((piece) => (piece.kind === "link" ? [piece.text] : []));

test("an address becomes a link, without what ends the sentence", () => {
  assert.deepEqual(links("See https://example.org/a, http://b.example. And (https://c.example/x)!"), [
    "https://example.org/a",
    "http://b.example",
    "https://c.example/x",
  ]);
  assert.deepEqual(links("https://example.org/a_(b)_c"), ["https://example.org/a_(b)_c"]);
});

test("what leads elsewhere than it says is no link", () => {
  for (const body of [
    "https://bank.example@evil.example/",
    "https://u:p@evil.example/",
    "https://example.org/\u202egnp.exe",
    "https://ex\u00adample.org/",
    "javascript:alert(1)",
    "data:text/html,x",
    "https://",
  ])
    assert.deepEqual(links(body), [], body);
});

test("a mention is shown as one where the server says that it is one", () => {
  assert.deepEqual(kinds("Hi @Ada, and @bob"), [["text", "Hi "], ["mention", "@Ada"], ["text", ", and @bob"]]);
  assert.deepEqual(kinds("@all now"), [["mention", "@all"], ["text", " now"]]);
});

test("of a handle with a dot the longest one counts", () => {
  assert.deepEqual(kinds("@ann."), [["mention", "@ann."]]);
  assert.deepEqual(kinds("@ann!"), [["mention", "@ann"], ["text", "!"]]);
  assert.deepEqual(kinds("@ada."), [["mention", "@ada"], ["text", "."]]);
});

test("an address of mail mentions nobody", () => {
  assert.deepEqual(kinds("x@ada"), [["text", "x@ada"]]);
  assert.deepEqual(kinds("@ada@host"), [["text", "@ada@host"]]);
  assert.deepEqual(kinds("你好@ada"), [["text", "你好"], ["mention", "@ada"]]);
});

test("names of objects' own members are no handles", () => {
  assert.deepEqual(kinds("@constructor @__proto__"), [["text", "@constructor @__proto__"]]);
});

/** What a component draws, as its elements and texts. */
function drawn(node: unknown, found: { tags: string[]; text: string; props: string[] } = { tags: [], text: "", props: [] }) {
  if (Array.isArray(node)) for (const one of node) drawn(one, found);
  else if (typeof node === "string" || typeof node === "number") found.text += node;
  else if (typeof node === "object" && node !== null) {
    const { type, props } = node as VNode<Record<string, unknown>>;
    if (typeof type === "function") {
      const Component = type as unknown as { new (p: unknown): { render(p: unknown): unknown }; (p: unknown): unknown };
      drawn(Component.prototype?.render ? new Component(props).render(props) : Component(props), found);
    } else {
      found.tags.push(type as string);
      found.props.push(...Object.keys(props).filter((name) => name !== "children"));
      if ("href" in props) assert.match(String(props["href"]), /^https?:\/\//);
      drawn(props["children"], found);
    }
  }
  return found;
}

test("200 hostile bodies are drawn as the text that they are", () => {
  assert.equal(hostile.length, 200);
  for (const body of hostile) {
    const found = drawn(<Body body={body} mentioned={mentioned} />);
    assert.equal(found.text, body);
    for (const tag of found.tags) assert.ok(["", "a", "bdi"].includes(tag) || tag === undefined, tag);
    for (const prop of found.props) assert.ok(["href", "target", "rel", "dir", "class", "onClick"].includes(prop), prop);
  }
});

test("200 hostile names are drawn as at most two letters, in a text", () => {
  for (const name of hostile) {
    const found = drawn(<Avatar id={name} name={name} />);
    assert.deepEqual([...new Set(found.tags)], ["span"]);
    assert.ok(initials(name).length <= 24, initials(name));
    assert.doesNotMatch(found.text, /[<>"'&]/);
  }
});

test("hostile bodies are parsed in no time that grows beyond their length", () => {
  // A bound in steps, not in time: a body of the greatest length gives no more pieces than characters.
  for (const body of hostile) assert.ok(parseBody(body, mentioned).length <= body.length);
});

test("no source of the client writes markup or runs text", () => {
  const files = (folder: string): string[] =>
    readdirSync(folder).flatMap((name) => (statSync(join(folder, name)).isDirectory() ? files(join(folder, name)) : [join(folder, name)]));
  const root = process.env["APP_ROOT"]!;
  const sources = files(join(root, "src"));
  assert.ok(sources.length > 30);
  for (const file of sources)
    assert.doesNotMatch(
      readFileSync(file, "utf8"),
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\(|srcdoc|DOMParser|style="/,
      file,
    );
});
