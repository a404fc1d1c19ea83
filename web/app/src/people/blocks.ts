import { blocked, client } from "../session/state.ts";

/** Reads whom the account has blocked; other devices may have changed it. */
export async function readBlocks(): Promise<void> {
  try {
    blocked.value = new Set((await client().api.all("listBlocks", {}, 5000)).map((one) => one.account_id));
  } catch {
    // What was known stays.
  }
}
