import type { Member } from "../protocol/things.ts";
import type { AccountId } from "../protocol/values.ts";
import type { Update } from "../rules/output.ts";

/** The members of a room after an event; who joins is not told with a name, and so is not among them yet. */
export function changedMembers(
  members: ReadonlyMap<AccountId, Member>,
  event: Extract<Update, { kind: "event" }>["event"],
): ReadonlyMap<AccountId, Member> {
  if (event.kind === "member.left") {
    const left = new Map(members);
    left.delete(event.account_id);
    return left;
  }
  if (event.kind !== "member.role" && event.kind !== "member.muted") return members;
  const member = members.get(event.account_id);
  if (!member) return members;
  if (event.kind === "member.role") return new Map(members).set(member.account_id, { ...member, role: event.role });
  const { muted_until: _old, ...speaking } = member;
  const next = event.until === undefined ? speaking : { ...speaking, muted_until: event.until };
  return new Map(members).set(member.account_id, next);
}

