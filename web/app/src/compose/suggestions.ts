import type { Member, Room } from "@confab/client";
import { people, rules, selfId } from "../session/state.ts";
import { ranked } from "../rooms/rank.ts";
import { prefs } from "../shell/prefs.ts";
import { t } from "../text/text.ts";
import type { Completing } from "./completion.ts";

export interface Suggestion {
  /** What stands before its name: `@` or the emoji. */
  sign: string;
  label: string;
  hint: string;
  insert: string;
}

const MOST = 8;
const SMALL_ROOM = 32;

let emoji: typeof import("./emoji.ts").emoji | undefined;

/**
 * What completes a mention or an emoji, best first: who is in the room before who is not. None are there
 * until the emoji are loaded; then `again` is called.
 */
export function suggestions(at: Completing, room: Room, members: ReadonlyMap<string, Member> | undefined, again: () => void): Suggestion[] {
  if (at.sign === "@") return mentions(at.query, room, members);
  if (emoji) return emoji(at.query, MOST, prefs.value.tone);
  import("./emoji.ts").then(
    (loaded) => {
      emoji = loaded.emoji;
      again();
    },
    () => undefined, // one can write without
  );
  return [];
}

function mentions(query: string, room: Room, members: ReadonlyMap<string, Member> | undefined): Suggestion[] {
  const self = selfId();
  const inRoom = room.type === "direct" ? [people.value.get(room.peer_id)].filter((p) => p !== undefined) : [...(members?.values() ?? [])];
  const here = new Set(inRoom.map((one) => one.account_id));
  const named = (list: Iterable<{ account_id: string; handle: string; display_name: string }>, hint: string) =>
    ranked(
      [...list].filter((one) => one.account_id !== self).map((one) => ({ name: one.display_name, alias: one.handle, at: 0, one })),
      query,
    ).map(({ one }) => ({ sign: "@", label: one.display_name, hint: [`@${one.handle}`, hint].filter(Boolean).join(" · "), insert: `@${one.handle}` }));
  const found = named(inRoom, "");
  if (room.type === "direct") return found;
  const everyone: Suggestion[] = [];
  if (rules(room) || room.member_count <= SMALL_ROOM) {
    for (const [word, key] of [["all", "composer.everyone"], ["online", "composer.everyoneOnline"]] as const)
      if (word.startsWith(query.toLowerCase())) everyone.push({ sign: "@", label: `@${word}`, hint: t(key), insert: `@${word}` });
  }
  const known = (hint: string) => named([...people.value.values()].filter((one) => !here.has(one.account_id)), hint);
  // While it is not known who is in the room, whoever is known may be meant, and sooner than all.
  if (!members) return [...known("").slice(0, MOST - everyone.length), ...everyone];
  return [...found, ...everyone, ...(query === "" ? [] : known(t("composer.notHere")))].slice(0, MOST);
}
