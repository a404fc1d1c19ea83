import { decideAll } from "../conversation/undoable.ts";
import { attempt, faultText } from "../session/faults.ts";
import { client, rooms } from "../session/state.ts";
import { ask } from "../shell/dialogs.ts";
import { t } from "../text/text.ts";

/** How long a server may take for what was deleted just before. */
const LAST_MS = 5000;

/** Signs out; asks first where something would be lost, or where no server can be told. */
export async function signOut(): Promise<void> {
  let unsent = 0;
  for (const state of rooms.value.values()) unsent += state.pending;
  if (unsent > 0 && (await ask({ text: t("sign.unsent", { n: unsent }), does: t("sign.outAnyway"), danger: true })) === undefined) return;
  if (!(await decideAll(LAST_MS)) && (await ask({ text: t("fault.offline"), does: t("sign.outAnyway"), danger: true })) === undefined) return;
  try {
    await client().signOut();
  } catch (error) {
    if ((await ask({ text: faultText(error), does: t("sign.outAnyway"), danger: true })) !== undefined) await attempt(() => client().signOut(true));
  }
}
