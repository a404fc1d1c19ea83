import type { ErrorInfo } from "../model/views.ts";
import type { Limits, Resume, ResumedRoom, RoomGap, Welcome } from "../protocol/frames.ts";
import type { EventPage, HistoryPage } from "../protocol/things.ts";
import type { LeaveReason, RoomId } from "../protocol/values.ts";
import { type Numbered, RoomFollower } from "./follower.ts";
import type { EventsAsk, HistoryAsk, Out, RoomPosition } from "./output.ts";

/** An upper bound of the bytes that a room takes in a `resume`. */
const POINT_BYTES = 128;

/** The rooms of an account: from where each is resumed, and which one gets a frame. */
export class Followers {
  readonly #rooms = new Map<RoomId, RoomFollower>();
  /** Named in `resume`, or in `welcome`, of the present connection. */
  readonly #covered = new Set<RoomId>();
  readonly #readsNewest: (room_id: RoomId) => boolean;
  readonly #out: Out;
  /** How many there have been. */
  #begun = 0;

  constructor(known: readonly RoomPosition[], readsNewest: (room_id: RoomId) => boolean, out: Out) {
    this.#readsNewest = readsNewest;
    this.#out = out;
    for (const position of known) this.#follow(position);
  }

  #follow(start: RoomPosition): RoomFollower {
    const room = new RoomFollower(++this.#begun, start, this.#out);
    this.#rooms.set(start.room_id, room);
    return room;
  }

  /** Where the client stands, in the rooms of which it can be resumed. */
  positions(): RoomPosition[] {
    return [...this.#rooms.values()].filter((room) => room.isResumable).map((room) => room.position);
  }

  /** The same of one room. */
  position(room_id: RoomId): RoomPosition | undefined {
    const room = this.#rooms.get(room_id);
    return room?.isResumable ? room.position : undefined;
  }

  /**
   * The pages of the `resume` that answers a `welcome`: all rooms with a position. The others go live from
   * where `welcome` says that they stand.
   */
  welcomed(welcome: Welcome): Resume[] {
    this.#covered.clear();
    const resumed = this.positions();
    for (const position of resumed) this.#covered.add(position.room_id);
    for (const room of welcome.rooms) if (this.#cover(room.room_id)) this.#begin(room);
    if (!welcome.more_rooms) this.#endUncovered();
    return resumes(resumed, perPage(welcome.limits), true);
  }

  #cover(room_id: RoomId): boolean {
    if (this.#covered.has(room_id)) return false;
    this.#covered.add(room_id);
    return true;
  }

  #endUncovered(): void {
    for (const room_id of [...this.#rooms.keys()]) if (!this.#covered.has(room_id)) this.remove(room_id, "gone");
  }

  #begin(room: RoomPosition): void {
    const known = this.#rooms.get(room.room_id);
    if (known) {
      known.readNewest(room.epoch, room.rev, false);
      return;
    }
    const { room_id, epoch, seq, rev } = room;
    const begun = this.#follow({ room_id, epoch, seq, rev });
    this.#out({ kind: "added", room_id, epoch, seq, rev });
    if (this.#readsNewest(room_id)) begun.readNewest(epoch, rev, false);
  }

  /** All rooms of the account are known: those that are not live yet are resumed. */
  listed(rooms: readonly RoomPosition[], limits: Limits): Resume[] {
    const missing = rooms.filter((room) => this.#cover(room.room_id));
    for (const room of missing) this.#begin(room);
    this.#endUncovered();
    return missing.length === 0 ? [] : resumes(missing, perPage(limits), false);
  }

  /** Answers to a `resume`. */
  resumed(rooms: readonly ResumedRoom[]): void {
    for (const answer of rooms) {
      const room = this.#rooms.get(answer.room_id);
      if (!room) continue;
      if ("gone" in answer) this.remove(answer.room_id, "gone");
      else if (!answer.recovered) room.unrecovered(answer.epoch, answer.rev);
    }
  }

  /** A frame of one room; a room that is not followed is ignored. */
  frame(frame: Numbered | RoomGap, now: number): void {
    const room = this.#rooms.get(frame.room_id);
    if (!room) return;
    if (frame.type === "room.gap") room.unrecovered(frame.epoch, frame.rev);
    else room.event(frame, now);
  }

  /** A membership began, or the server repeats one that is known. */
  added(position: RoomPosition): void {
    this.#covered.add(position.room_id);
    const room = this.#rooms.get(position.room_id);
    if (!room) {
      this.#begin(position);
      return;
    }
    const mine = room.position;
    if (mine.epoch !== position.epoch || position.rev > mine.rev) room.unrecovered(position.epoch, position.rev);
  }

  remove(room_id: RoomId, reason: LeaveReason | "gone"): void {
    if (this.#rooms.delete(room_id)) this.#out({ kind: "removed", room_id, reason });
  }

  lost(): void {
    for (const room of this.#rooms.values()) room.lost();
  }

  historyRead(ask: HistoryAsk, page: HistoryPage, now: number): void {
    this.#asker(ask)?.historyRead(page, now);
  }

  eventsRead(ask: EventsAsk, page: EventPage, now: number): void {
    this.#asker(ask)?.eventsRead(page, now);
  }

  readFailed(ask: HistoryAsk | EventsAsk, error: ErrorInfo, now: number): void {
    const asker = this.#asker(ask);
    if (!asker) return;
    if (error.code === "not_found" || error.code === "forbidden") this.remove(ask.room_id, "gone");
    else asker.readFailed(ask, error, now);
  }

  /** The account may read this room now: what waits for another read waits no longer. */
  readable(room_id: RoomId): void {
    this.#rooms.get(room_id)?.tick(Infinity);
  }

  /** The one that asked; undefined where it has ended, whatever has begun since. */
  #asker(ask: HistoryAsk | EventsAsk): RoomFollower | undefined {
    const room = this.#rooms.get(ask.room_id);
    return room?.log === ask.log ? room : undefined;
  }

  get deadline(): number {
    let first = Infinity;
    for (const room of this.#rooms.values()) first = Math.min(first, room.deadline);
    return first;
  }

  tick(now: number): void {
    for (const room of this.#rooms.values()) room.tick(now);
  }
}

function perPage(limits: Limits): number {
  return Math.max(1, Math.min(limits.rooms, Math.floor((limits.frame_bytes - POINT_BYTES) / POINT_BYTES)));
}

function resumes(rooms: readonly RoomPosition[], size: number, last: boolean): Resume[] {
  const pages: Resume[] = [];
  let from = 0;
  do {
    const to = Math.min(from + size, rooms.length);
    const points = rooms.slice(from, to).map(({ room_id, epoch, rev }) => ({ room_id, epoch, rev }));
    pages.push({ type: "resume", rooms: points, last: last && to === rooms.length });
    from = to;
  } while (from < rooms.length);
  return pages;
}
