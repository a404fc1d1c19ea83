import type { ErrorFrame } from "../protocol/frames.ts";
import type { RoomId, Seq } from "../protocol/values.ts";
import type { Out } from "./output.ts";

const PAUSE_MS = 1_000;
const MOST_UNDER_WAY = 16;

/** How far the account has come in a room, and how far the server knows. */
class Place {
  readonly room_id: RoomId;
  receipts = false;
  received: Seq = 0;
  read: Seq = 0;
  knownReceived: Seq = 0;
  knownRead: Seq = 0;
  telling: Seq = 0;
  tellsRead = false;
  notBefore = -Infinity;

  constructor(room_id: RoomId) {
    this.room_id = room_id;
  }

  get hasRead(): boolean {
    return this.read > this.knownRead;
  }

  get hasNews(): boolean {
    return this.hasRead || (this.receipts && this.received > this.knownReceived);
  }

  tell(): void {
    this.tellsRead = this.hasRead;
    this.telling = this.tellsRead ? this.read : this.received;
  }

  known(read: Seq, received: Seq): void {
    this.knownRead = Math.max(this.knownRead, read);
    this.knownReceived = Math.max(this.knownReceived, received, read);
  }

  /** What comes after is to be seen as unread. */
  unread(after: Seq): void {
    this.knownRead = Math.min(this.knownRead, after);
    this.read = Math.min(this.read, after);
  }

  answered(): void {
    this.known(this.tellsRead ? this.telling : 0, this.telling);
  }
}

/**
 * Tells the server how far this account has received and read in the rooms that are followed. Of each room
 * it tells the highest alone, at most once a second, and again until that is answered.
 */
export class OwnMarkers {
  readonly #confirms: boolean;
  readonly #out: Out;
  readonly #places = new Map<RoomId, Place>();
  /** Those with something to tell that is not under way. */
  readonly #waiting = new Set<Place>();
  readonly #underWay = new Map<string, Place>();
  #online = false;
  #told = 0;

  /** @param confirms whether what is received is told without being asked */
  constructor(confirms: boolean, out: Out) {
    this.#confirms = confirms;
    this.#out = out;
  }

  /** A room is followed; nothing else is told of rooms that are not. */
  follow(room_id: RoomId): void {
    if (!this.#places.has(room_id)) this.#places.set(room_id, new Place(room_id));
  }

  follows(room_id: RoomId): boolean {
    return this.#places.has(room_id);
  }

  /** Whether it has receipts. */
  receipts(room_id: RoomId, has: boolean): void {
    const place = this.#places.get(room_id);
    if (place) place.receipts = has;
  }

  end(room_id: RoomId): void {
    const place = this.#places.get(room_id);
    if (!place) return;
    this.#places.delete(room_id);
    this.#waiting.delete(place);
    this.#forgetRequest(place);
  }

  #forgetRequest(place: Place): void {
    for (const [id, told] of this.#underWay) if (told === place) this.#underWay.delete(id);
  }

  /** A message of somebody else was received. */
  received(room_id: RoomId, seq: Seq, now: number): void {
    const place = this.#places.get(room_id);
    if (!this.#confirms || !place) return;
    place.received = Math.max(place.received, seq);
    this.#wake(place, now);
  }

  /** The person has read up to here. */
  read(room_id: RoomId, seq: Seq, now: number): void {
    const place = this.#places.get(room_id);
    if (!place) return;
    place.read = Math.max(place.read, seq);
    this.#wake(place, now);
  }

  /**
   * What was read is not told if it was not yet: the person wants to see it as unread. What is read from
   * now on is told.
   */
  forgetRead(room_id: RoomId): void {
    const place = this.#places.get(room_id);
    if (!place) return;
    this.#forgetRequest(place);
    place.unread(0);
  }

  /** What the server knows of this account, from another of its devices. */
  known(room_id: RoomId, read: Seq, received: Seq, unreadFrom: Seq | undefined): void {
    const place = this.#places.get(room_id);
    if (!place) return;
    place.known(read, received);
    if (unreadFrom !== undefined) place.unread(unreadFrom - 1);
  }

  #wake(place: Place, now: number): void {
    if (!place.hasNews || this.#isTold(place)) return;
    this.#waiting.add(place);
    this.#pump(now);
  }

  #isTold(place: Place): boolean {
    for (const told of this.#underWay.values()) if (told === place) return true;
    return false;
  }

  /** Rooms are followed on a new connection. */
  online(now: number): void {
    this.#online = true;
    for (const place of this.#places.values()) if (place.hasNews) this.#waiting.add(place);
    this.#pump(now);
  }

  lost(): void {
    this.#online = false;
    this.#waiting.clear();
    this.#underWay.clear();
  }

  #pump(now: number): void {
    if (!this.#online) return;
    for (const place of [...this.#waiting]) {
      if (this.#underWay.size >= MOST_UNDER_WAY) return;
      if (place.notBefore > now) continue;
      this.#waiting.delete(place);
      if (place.hasNews) this.#tell(place, now);
    }
  }

  #tell(place: Place, now: number): void {
    place.tell();
    place.notBefore = now + PAUSE_MS;
    const id = `marker-${++this.#told}`;
    this.#underWay.set(id, place);
    const { room_id, telling: seq } = place;
    this.#out({ kind: "frame", frame: { type: place.tellsRead ? "read" : "delivered", id, room_id, seq } });
  }

  /** @returns whether it was a marker that was answered */
  answered(re: string, now: number): boolean {
    const place = this.#underWay.get(re);
    if (!place) return false;
    this.#underWay.delete(re);
    place.answered();
    this.#again(place, now);
    return true;
  }

  /**
   * What may be told later is; what is refused for good counts as told.
   *
   * @returns whether it was a marker that was refused
   */
  refused(re: string, error: ErrorFrame, now: number): boolean {
    const place = this.#underWay.get(re);
    if (!place) return false;
    this.#underWay.delete(re);
    if (error.retryable) place.notBefore = now + Math.max(PAUSE_MS, error.retry_after_ms ?? 0);
    else place.answered();
    this.#again(place, now);
    return true;
  }

  #again(place: Place, now: number): void {
    if (place.hasNews) this.#waiting.add(place);
    this.#pump(now);
  }

  get deadline(): number {
    if (!this.#online || this.#underWay.size >= MOST_UNDER_WAY) return Infinity;
    let first = Infinity;
    for (const place of this.#waiting) first = Math.min(first, place.notBefore);
    return first;
  }

  tick(now: number): void {
    this.#pump(now);
  }
}
