/** Something that can be searched for by its name. */
export interface Named {
  name: string;
  /** Another word for it, such as a handle. */
  alias?: string | undefined;
  /** When something happened there last; breaks ties. */
  at: number;
}

/** The matching ones, best first: beginnings before words before letters in order; then the most recent. */
export function ranked<T extends Named>(things: readonly T[], query: string): T[] {
  const wanted = fold(query.trim());
  if (wanted === "") return [...things].sort((a, b) => b.at - a.at);
  return things
    .map((thing) => ({ thing, score: Math.max(score(fold(thing.name), wanted), thing.alias ? score(fold(thing.alias), wanted) : 0) }))
    .filter((entry) => entry.score > 0)
    .sort((a, b) => b.score - a.score || b.thing.at - a.thing.at)
    .map((entry) => entry.thing);
}

/** 0: no match. */
export function score(name: string, wanted: string): number {
  if (name === wanted) return 5;
  if (name.startsWith(wanted)) return 4;
  if (name.split(/[\s_.-]+/u).some((word) => word.startsWith(wanted))) return 3;
  if (name.includes(wanted)) return 2;
  let at = 0;
  for (const character of wanted) {
    at = name.indexOf(character, at) + 1;
    if (at === 0) return 0;
  }
  return 1;
}

/** Without capitals and accents. */
export function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
