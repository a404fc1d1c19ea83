/** A piece of a message's body: what is shown of it is always `text`, as it was written. */
export type Piece =
  | { kind: "text"; text: string }
  | { kind: "link"; text: string; href: string }
  | { kind: "mention"; text: string; who: string; self: boolean };

/** Whom the server says a message mentions: handles in lower case, and the words `all` and `online`. */
export interface Mentioned {
  /** Handle in lower case to account id; `all` and `online` stand for themselves. */
  handles: ReadonlyMap<string, string>;
  self: string;
}

const LINK = /https?:\/\/[^\s<>"`{}|\\^]+/giu;
// Direction marks and other invisible characters could make an address look like another one.
const DECEPTIVE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u;
const MENTION = /@([A-Za-z0-9][A-Za-z0-9_.-]{1,31})/gu;
const WORD_BEFORE = /[\p{L}\p{N}_@.-]$/u;
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]$/u;

/** Splits a body into text, links and mentions. The texts of the pieces, joined, are the body. */
export function parseBody(body: string, mentioned?: Mentioned): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of body.matchAll(LINK)) {
    const text = trimLink(match[0]);
    const href = address(text);
    if (!href || precededByWord(body, match.index)) continue;
    addText(pieces, body.slice(from, match.index), mentioned);
    pieces.push({ kind: "link", text, href });
    from = match.index + text.length;
  }
  addText(pieces, body.slice(from), mentioned);
  return pieces;
}

function precededByWord(body: string, index: number): boolean {
  return index > 0 && /[A-Za-z0-9]/.test(body[index - 1]!);
}

/** Leaves out what ends a sentence rather than an address, and a bracket that was not opened in it. */
function trimLink(link: string): string {
  let text = link;
  for (;;) {
    const last = text.at(-1)!;
    if (/[.,;:!?'*_~\u2026\u3002\uff0c]/u.test(last)) text = text.slice(0, -1);
    else if (last === ")" && count(text, ")") > count(text, "(")) text = text.slice(0, -1);
    else if (last === "]" && count(text, "]") > count(text, "[")) text = text.slice(0, -1);
    else return text;
  }
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

/** The address of a link, or nothing where it is none that a person could judge by looking at it. */
function address(text: string): string | undefined {
  if (DECEPTIVE.test(text) || text.length > 2000) return undefined;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return undefined;
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
  // "https://bank.example@evil.example" leads elsewhere than it says.
  if (url.username !== "" || url.password !== "" || url.hostname === "") return undefined;
  return url.href;
}

function addText(pieces: Piece[], text: string, mentioned?: Mentioned): void {
  if (text === "") return;
  if (!mentioned || mentioned.handles.size === 0) {
    pieces.push({ kind: "text", text });
    return;
  }
  let from = 0;
  for (const match of text.matchAll(MENTION)) {
    const before = text.slice(0, match.index);
    if (WORD_BEFORE.test(before) && !SPACELESS.test(before)) continue;
    const handle = longest(match[1]!, mentioned);
    if (handle === undefined || text[match.index + 1 + match[1]!.length] === "@") continue;
    if (match.index > from) pieces.push({ kind: "text", text: text.slice(from, match.index) });
    const end = match.index + 1 + handle.length;
    const who = mentioned.handles.get(handle.toLowerCase())!;
    pieces.push({ kind: "mention", text: text.slice(match.index, end), who, self: who === mentioned.self || who.startsWith("@") });
    from = end;
  }
  if (from < text.length) pieces.push({ kind: "text", text: text.slice(from) });
}

/** Of `ann.`, the member `ann.` or, without one, `ann`. */
function longest(handle: string, mentioned: Mentioned): string | undefined {
  for (let name = handle; name.length >= 2; name = name.slice(0, -1)) {
    if (mentioned.handles.has(name.toLowerCase())) return name;
    if (!/[._-]$/.test(name)) return undefined;
  }
  return undefined;
}
