/** A run of words that stayed, came or went. */
export interface Change {
  kind: "same" | "added" | "removed";
  text: string;
}

/** More words than this are shown as removed and added whole. */
const MOST_WORDS = 600;

/** What changed between two texts, word by word: the longest common subsequence. */
export function wordDiff(before: string, after: string): Change[] {
  const a = words(before);
  const b = words(after);
  if (a.length > MOST_WORDS || b.length > MOST_WORDS) return merged([{ kind: "removed", text: before }, { kind: "added", text: after }]);
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] =
        a[i] === b[j] ? longest[(i + 1) * width + j + 1]! + 1 : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);
    }
  }
  const changes: Change[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      changes.push({ kind: "same", text: a[i]! });
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!)) {
      changes.push({ kind: "removed", text: a[i++]! });
    } else changes.push({ kind: "added", text: b[j++]! });
  }
  return merged(changes);
}

function words(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

function merged(changes: readonly Change[]): Change[] {
  const out: Change[] = [];
  for (const change of changes) {
    const last = out.at(-1);
    if (change.text === "") continue;
    if (last?.kind === change.kind) last.text += change.text;
    else out.push({ ...change });
  }
  return out;
}
