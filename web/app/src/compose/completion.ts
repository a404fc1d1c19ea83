/** What is being completed at the caret: the sign that began it, the letters after it and where it begins. */
export interface Completing {
  sign: "@" | ":";
  query: string;
  from: number;
  to: number;
}

/** Whether the text before the caret asks for a completion. `:` asks after two letters, `@` at once. */
export function completing(text: string, caret: number): Completing | undefined {
  const before = text.slice(0, caret);
  const person = /(?:^|[^\p{L}\p{N}_@.])@([A-Za-z0-9_.-]{0,32}|\p{L}{1,32})$/u.exec(before);
  if (person) return { sign: "@", query: person[1]!, from: caret - person[1]!.length - 1, to: caret };
  const emoji = /(?:^|[\s(])[:]([a-z0-9_+-]{2,32})$/u.exec(before);
  if (emoji) return { sign: ":", query: emoji[1]!, from: caret - emoji[1]!.length - 1, to: caret };
  return undefined;
}

/** The text with the completion in it, and where the caret stands then. */
export function completed(text: string, at: Completing, replacement: string): { text: string; caret: number } {
  const rest = text.slice(at.to);
  const space = rest.startsWith(" ") ? "" : " ";
  return { text: text.slice(0, at.from) + replacement + space + rest, caret: at.from + replacement.length + 1 };
}
