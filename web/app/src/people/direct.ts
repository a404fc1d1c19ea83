import { attempt } from "../session/faults.ts";
import { client, rooms } from "../session/state.ts";
import { close, panel } from "../shell/dialogs.ts";
import { go } from "../shell/route.ts";

/** Opens the direct room with somebody; it is made where there is none. */
export async function writeTo(account_id: string): Promise<void> {
  for (const { room } of rooms.value.values()) {
    if (room.type === "direct" && room.peer_id === account_id) return show(room.room_id);
  }
  await attempt(async () => {
    const room = await client().api.ask("createRoom", { body: { type: "direct", members: [account_id] } });
    show(room.room_id);
  });
}

function show(room: string): void {
  close();
  panel.value = undefined;
  go({ name: "room", room });
}
