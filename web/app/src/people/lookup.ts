import { client } from "../session/state.ts";

/** Handles in a text, with or without `@`, each once. */
export function handlesIn(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/u).map((word) => word.replace(/^@/, "").toLowerCase()).filter(Boolean))];
}

/** The account with a handle, if there is one. */
export async function accountOf(handle: string): Promise<string | undefined> {
  if (!/^[a-z0-9][a-z0-9_.-]{1,31}$/i.test(handle)) return undefined;
  const { accounts } = await client().api.ask("findAccounts", { handle: handle.toLowerCase() });
  return accounts[0]?.account_id;
}
