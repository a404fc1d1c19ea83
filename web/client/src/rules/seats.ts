import type { ErrorInfo } from "../model/views.ts";
import type { SeatInsideFrame, SeatLost, SeatOfferFrame, SeatWaitingFrame } from "../protocol/frames.ts";
import type { RoomId } from "../protocol/values.ts";
import type { Backoff } from "./backoff.ts";
import type { Out, Standing } from "./output.ts";

/** In which a server has told of all that it took up. */
const TOLD_WITHIN_MS = 5_000;

interface Seat {
  readonly room_id: RoomId;
  /** Whether this program entered, and is to be inside also after a lost connection. */
  wanted?: boolean;
  /** The call by which it did so has no answer yet. */
  entering?: boolean;
  leaving?: boolean;
  /** Whether it is inside, or waits. */
  stands?: boolean;
  place?: string | undefined;
  /** The request that has no answer yet. */
  asked?: string | undefined;
  due: number;
  failures: number;
}

/**
 * Where this account is inside, or waits. What it had before a lost connection the server takes up by
 * itself and tells; where it tells nothing, the client enters again with its last place if the program
 * entered there, and else seat or place is gone.
 */
export class OwnSeats {
  readonly #backoff: Backoff;
  readonly #out: Out;
  readonly #seats = new Map<RoomId, Seat>();
  #online = false;
  #requests = 0;

  /** @param standings of an earlier connection */
  constructor(standings: readonly Standing[], backoff: Backoff, out: Out) {
    this.#backoff = backoff;
    this.#out = out;
    for (const standing of standings) this.#seat(standing.room_id).stands = true;
  }

  enter(room_id: RoomId): void {
    const seat = this.#seat(room_id);
    seat.wanted = true;
    seat.entering = true;
    seat.leaving = false;
    this.#act(seat);
  }

  exit(room_id: RoomId): void {
    const seat = this.#seat(room_id);
    this.#refuse(seat, "conflict");
    seat.wanted = false;
    seat.leaving = true;
    this.#act(seat);
  }

  #seat(room_id: RoomId): Seat {
    const seat = this.#seats.get(room_id) ?? { room_id, due: Infinity, failures: 0 };
    this.#seats.set(room_id, seat);
    return seat;
  }

  /** Rooms are followed. */
  live(now: number): void {
    this.#online = true;
    for (const seat of this.#seats.values()) {
      seat.due = seat.entering || seat.leaving ? now : now + TOLD_WITHIN_MS;
    }
    this.tick(now);
  }

  lost(): void {
    this.#online = false;
    for (const seat of this.#seats.values()) {
      seat.asked = undefined;
      seat.due = Infinity;
    }
  }

  /** The client does not connect again by itself. */
  stopped(): void {
    for (const { room_id, stands } of [...this.#seats.values()]) {
      this.end(room_id, "closed");
      if (stands) this.#seat(room_id).stands = true; // it is told, or over, on the next connection
    }
  }

  /** The membership ended. */
  end(room_id: RoomId, code: ErrorInfo["code"] = "not_found"): void {
    const seat = this.#seats.get(room_id);
    this.#seats.delete(room_id);
    if (seat) this.#refuse(seat, code);
  }

  /** How the account stands. */
  told(frame: SeatInsideFrame | SeatWaitingFrame | SeatOfferFrame): void {
    const seat = this.#seat(frame.room_id);
    seat.due = Infinity;
    seat.failures = 0;
    seat.entering = false;
    seat.stands = true;
    const { type, re, ...how } = frame;
    if (type !== "seat.offer") seat.place = (how as { place?: string }).place;
    this.#out({ kind: type.replace(".", "_"), ...how } as Standing);
    if (re === seat.asked) seat.asked = undefined;
    if (seat.leaving || (seat.wanted && !re && type === "seat.offer")) this.#act(seat);
  }

  /** The account has neither seat nor place any more. */
  taken(frame: SeatLost): void {
    const seat = this.#seats.get(frame.room_id);
    if (seat) this.#gone(seat, frame.reason);
  }

  #gone(seat: Seat, reason: SeatLost["reason"]): void {
    if (seat.stands) this.#out({ kind: "seat_lost", room_id: seat.room_id, reason });
    seat.stands = false;
    seat.place = undefined;
    if (!seat.entering && !seat.leaving) this.#seats.delete(seat.room_id);
  }

  /**
   * A request was refused, or, where it was one to leave a room, done.
   *
   * @returns whether it was one of these
   */
  settled(re: string, now: number, error?: ErrorInfo): boolean {
    const seat = [...this.#seats.values()].find(({ asked }) => asked === re);
    if (!seat) return false;
    seat.asked = undefined;
    if (error?.retryable) {
      seat.due = now + Math.max(1, this.#backoff.delay(seat.failures++), error.retry_after_ms ?? 0);
      return true;
    }
    if (error?.field === "place" && seat.place !== undefined) {
      seat.place = undefined;
    } else {
      if (error) this.#refuse(seat, error.code, error);
      seat.leaving = false;
      this.#gone(seat, error ? "expired" : "left");
    }
    this.#act(seat);
    return true;
  }

  #refuse(seat: Seat, code: ErrorInfo["code"], error: ErrorInfo = { code, message: code, retryable: false }): void {
    if (!seat.entering) return;
    seat.entering = false;
    this.#out({ kind: "not_entered", room_id: seat.room_id, error });
  }

  /** Does what is to be done in a room next, one request at a time. */
  #act(seat: Seat): void {
    if (!this.#online || seat.asked !== undefined || this.#seats.get(seat.room_id) !== seat) return;
    seat.due = Infinity;
    if (!seat.leaving && !seat.wanted) return this.#gone(seat, "expired");
    const { room_id, place } = seat;
    const request = { id: (seat.asked = `seat-${++this.#requests}`), room_id };
    this.#out({
      kind: "frame",
      frame: seat.leaving
        ? { type: "room.exit", ...request }
        : { type: "room.enter", ...request, ...(place !== undefined && { place }) },
    });
  }

  get deadline(): number {
    return Math.min(...[...this.#seats.values()].map((seat) => seat.due));
  }

  tick(now: number): void {
    for (const seat of [...this.#seats.values()]) if (seat.due <= now) this.#act(seat);
  }
}
