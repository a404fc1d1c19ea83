import { useEffect, useState } from "preact/hooks";
import type { RoomState } from "@confab/client";
import { faultText } from "../session/faults.ts";
import { client, live } from "../session/state.ts";
import { t } from "../text/text.ts";
import { Icon } from "../ui/Icon.tsx";

/** Whether the room has a capacity and the account is not inside. */
export function isOutside({ room, seat }: Pick<RoomState, "room" | "seat">): boolean {
  return room.capacity !== undefined && seat?.kind !== "seat_inside";
}

/** Whether nothing of what is said there may be read. */
export function isShut(state: Pick<RoomState, "room" | "seat">): boolean {
  return isOutside(state) && !state.room.read_outside;
}

/** How long it may take, in words. */
export function waitText(estimate_s: number | undefined): string {
  if (estimate_s === undefined) return t("seat.unknown");
  return t("seat.estimate", { n: Math.max(1, Math.ceil(estimate_s / 60)) });
}

/** Before a room whose seats are taken, or that was not entered yet: what one waits for, and how long. */
export function WaitingPlace({ state }: { state: RoomState }) {
  return (
    <div class="nothing" data-testid="waiting">
      <Icon name="people" />
      <h2>{t("seat.title", { n: state.room.capacity ?? 0 })}</h2>
      <p>{t("seat.hint")}</p>
    </div>
  );
}

/** Why one is outside, where that is not by one's own will. */
export function outsideText(without: RoomState["no_seat"]): string {
  if (without === undefined) return "";
  if ("error" in without) return faultText(without.error);
  if (without.reason === "left") return "";
  return t(without.reason === "removed" ? "seat.removed" : "seat.expired");
}

/** In place of where one writes: the way in, or the place in the line. */
export function SeatBar({ state }: { state: RoomState }) {
  const { room, seat } = state;
  const view = client().room(room.room_id);
  const [asked, setAsked] = useState(false);
  useEffect(() => setAsked(false), [seat, state.no_seat, live.value]);
  if (seat?.kind === "seat_waiting") {
    return (
      <div class="seat-bar">
        <p role="status">
          <strong>{t("seat.place", { n: seat.position, waiting: seat.waiting })}</strong> {waitText(seat.estimate_s)} {t("seat.byItself")}
        </p>
        <button type="button" class="button" onClick={() => view.exit()}>
          {t("seat.leaveLine")}
        </button>
      </div>
    );
  }
  return (
    <div class="seat-bar">
      <p role="status">{seat ? t("seat.offered") : outsideText(state.no_seat) || t("seat.outside")}</p>
      <button
        type="button"
        class="button primary"
        disabled={!live.value || asked}
        onClick={() => {
          setAsked(true);
          view.enter();
        }}
      >
        {asked && <span class="spinner" />}
        {t("seat.enter")}
      </button>
    </div>
  );
}

/** For one who is inside: how full it is, and the way out. */
export function InsideBar({ state }: { state: RoomState }) {
  const { seat, room } = state;
  if (seat?.kind !== "seat_inside") return null;
  return (
    <div class="seat-bar inside">
      <p>{t("seat.inside", { n: seat.inside, capacity: seat.capacity })}</p>
      <button type="button" class="button" onClick={() => client().room(room.room_id).exit()}>
        {t("seat.leave")}
      </button>
    </div>
  );
}
