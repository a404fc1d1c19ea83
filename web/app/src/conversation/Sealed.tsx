import type { RoomState } from "@confab/client";
import { t } from "../text/text.ts";
import { Icon } from "../ui/Icon.tsx";

type Room = Pick<RoomState["room"], "archived_at" | "encryption" | "seq">;

/** From which message on this client can read nothing of the room. */
export function sealedFrom({ encryption }: Room): number {
  return encryption?.from_seq ?? Infinity;
}

/** Whether this client can write there. */
export function isWritable(room: Room): boolean {
  return room.archived_at === undefined && room.encryption === undefined;
}

/** How many messages stand in the room that this client cannot read. */
export function sealedCount(room: Room): number {
  return Math.max(0, room.seq - sealedFrom(room) + 1);
}

/** Below what can be read of a sealed room: what cannot. */
export function SealedBar({ room }: { room: Room }) {
  const n = sealedCount(room);
  if (n === 0) return null;
  return (
    <div class="seat-bar sealed" data-testid="sealed">
      <Icon name="lock" />
      <p role="status">{t("sealed.messages", { n })}</p>
    </div>
  );
}
