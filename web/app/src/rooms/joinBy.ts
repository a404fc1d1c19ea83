import { faultText } from "../session/faults.ts";
import { client } from "../session/state.ts";
import { go } from "../shell/route.ts";
import { t } from "../text/text.ts";
import { tell } from "../ui/toast.tsx";

/** Joins by the code of an invitation, and goes to the room. */
export async function joinBy(code: string): Promise<void> {
  try {
    const room = await client().api.ask("joinByInvite", { code });
    go({ name: "room", room: room.room_id }, true);
  } catch (error) {
    tell(error instanceof Error && "code" in error && (error.code === "not_found" || error.code === "gone") ? t("invite.gone") : faultText(error), undefined, 8000);
    go({ name: "home" }, true);
  }
}
