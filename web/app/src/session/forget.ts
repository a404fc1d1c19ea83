import type { Session } from "@confab/client";

const forgetting: ((forGood: boolean) => void)[] = [];

/** Says how a part of the page forgets whoever was signed in; `forGood`: who does not just sign in again. */
export function forgets(what: (forGood: boolean) => void): void {
  forgetting.push(what);
}

/** Nobody is signed in any more: nothing of the account stays in this tab but, where a sign-in is merely over, what it chose here. */
export function forgetAll(forGood: boolean): void {
  for (const forget of forgetting) forget(forGood);
}

/** What a session is the end of, where somebody was known before: a sign-in, or all that there was of an account. */
export function endOf(before: string | undefined, now: Session): "sign-in" | "account" | undefined {
  if (before === undefined || now.state === "unknown") return undefined;
  if (now.handle !== before) return "account";
  return now.state === "signed_out" ? "sign-in" : undefined;
}
