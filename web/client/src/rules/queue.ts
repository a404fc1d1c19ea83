import type { ClientId, RoomId } from "../protocol/values.ts";
import type { Outgoing } from "./output.ts";

/** A send that is not settled; only the queue changes when it is due. */
export interface Entry {
  readonly message: Outgoing;
  readonly number: number;
  refusals: number;
  /** When it may be sent again, or, while it is under way, when its answer is overdue. */
  due: number;
}

/** Sends that are not settled: those under way, and what waits in each room. */
export class SendQueue {
  readonly #entries = new Map<ClientId, Entry>();
  /** In the order in which they were sent, and so in the order in which answers are due. */
  readonly #underWay = new Set<Entry>();
  /** What waits in each room, in the order in which it was made. */
  readonly #rooms = new Map<RoomId, Entry[]>();
  #made = 0;

  get size(): number {
    return this.#entries.size;
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  all(): Entry[] {
    return [...this.#entries.values()];
  }

  has(client_id: ClientId): boolean {
    return this.#entries.has(client_id);
  }

  add(message: Outgoing, now: number): void {
    const entry: Entry = { message, number: this.#made++, refusals: 0, due: now };
    this.#entries.set(message.client_id, entry);
    this.#await(entry);
  }

  /** Its room waits for it. Those after it in the room are not due before it. */
  #await(entry: Entry): void {
    const room = this.#rooms.get(entry.message.room_id);
    if (!room) {
      this.#rooms.set(entry.message.room_id, [entry]);
      return;
    }
    let at = room.length;
    while (at > 0 && room[at - 1]!.number > entry.number) at--;
    room.splice(at, 0, entry);
  }

  #leave(entry: Entry): void {
    const room = this.#rooms.get(entry.message.room_id);
    const at = room?.indexOf(entry) ?? -1;
    if (at < 0) return;
    if (room!.length === 1) this.#rooms.delete(entry.message.room_id);
    else room!.splice(at, 1);
  }

  /** The first of each room, the one that is due first. */
  #next(): Entry | undefined {
    let next: Entry | undefined;
    for (const [first] of this.#rooms.values()) {
      if (!next || first!.due < next.due || (first!.due === next.due && first!.number < next.number)) next = first;
    }
    return next;
  }

  /** Takes the next send that is due; it is under way from now on. */
  take(now: number, answerDue: number): Entry | undefined {
    const entry = this.#next();
    if (!entry || entry.due > now) return undefined;
    this.#leave(entry);
    entry.due = answerDue;
    this.#underWay.add(entry);
    return entry;
  }

  /** A send that waits for its answer. */
  awaited(client_id: ClientId): Entry | undefined {
    const entry = this.#entries.get(client_id);
    return entry && this.#underWay.has(entry) ? entry : undefined;
  }

  /** It was not taken, and may be sent again later. */
  again(entry: Entry, due: number): void {
    this.#underWay.delete(entry);
    entry.due = due;
    this.#await(entry);
  }

  /** @returns whether it was there */
  settle(client_id: ClientId): boolean {
    const entry = this.#entries.get(client_id);
    if (!entry) return false;
    this.#entries.delete(client_id);
    if (!this.#underWay.delete(entry)) this.#leave(entry);
    return true;
  }

  /** None is under way any more, and all may be sent at once. */
  restart(): void {
    this.#underWay.clear();
    this.#rooms.clear();
    for (const entry of this.#entries.values()) {
      entry.due = 0;
      this.#await(entry);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.restart();
  }

  /** When the next answer is overdue. */
  get answerDue(): number {
    const [first] = this.#underWay;
    return first?.due ?? Infinity;
  }

  /** When the next send may go. */
  get sendDue(): number {
    return this.#next()?.due ?? Infinity;
  }
}
