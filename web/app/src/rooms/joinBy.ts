import { faultText, isRetryable } from "../session/faults.ts";
import { client } from "../session/state.ts";
import { go } from "../shell/route.ts";
import { t } from "../text/text.ts";
import { tell } from "../ui/toast.tsx";

let joining: string | undefined;

/** Joins by the code of an invitation, and goes to the room; where that may succeed later, one stays with the invitation. */
export async function joinBy(code: string): Promise<void> {
  if (joining === code) return;
  joining = code;
  try {
    const room = await client().api.ask("joinByInvite", { code });
    go({ name: "room", room: room.room_id }, true);
  } catch (error) {
    if (isRetryable(error)) {
      tell(faultText(error), { label: t("app.retry"), act: () => void joinBy(code) }, 8000);
      return;
    }
    tell(error instanceof Error && "code" in error && (error.code === "not_found" || error.code === "gone") ? t("invite.gone") : faultText(error), undefined, 8000);
    go({ name: "home" }, true);
  } finally {
    joining = undefined;
  }
}
