import { blocked, client } from "../session/state.ts";

let others: BroadcastChannel | undefined;

/** Reads whom the account has blocked; other devices may have changed it. */
export async function readBlocks(): Promise<void> {
  try {
    blocked.value = new Set((await client().api.all("listBlocks", {}, 5000)).map((one) => one.account_id));
  } catch {
    // What was known stays.
  }
}

/** Reads it anew when another tab has changed it. Answers what ends that. */
export function watchBlocks(): () => void {
  const channel = new BroadcastChannel("confab-blocks");
  channel.onmessage = () => void readBlocks();
  others = channel;
  return () => {
    channel.close();
    others = undefined;
  };
}

/** This tab has changed it. */
export function tellBlocks(): void {
  others?.postMessage("changed");
}
