const forgetting: (() => void)[] = [];

/** Says how a part of the page forgets whoever was signed in. */
export function forgets(what: () => void): void {
  forgetting.push(what);
}

/** Nobody is signed in any more: nothing of the account stays in this tab. */
export function forgetAll(): void {
  for (const forget of forgetting) forget();
}
