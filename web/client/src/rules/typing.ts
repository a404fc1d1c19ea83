import type { AccountId, RoomId, Time } from "../protocol/values.ts";
import type { Out } from "./output.ts";

const REPEAT_MS = 3_000;
const LAPSE_MS = 5_000;
const MOST = 1_000;

/**
 * Tells others that the person types: in one room at a time, and every three seconds while it goes on.
 * Without a connection nobody is told.
 */
export class OwnTyping {
  readonly #out: Out;
  #room: RoomId | undefined;
  #told = 0;
  #online = false;

  constructor(out: Out) {
    this.#out = out;
  }

  online(): void {
    this.#online = true;
  }

  lost(): void {
    this.#online = false;
    this.#room = undefined;
  }

  typing(room_id: RoomId, now: number): void {
    if (!this.#online || (room_id === this.#room && now - this.#told < REPEAT_MS)) return;
    if (room_id !== this.#room) this.stop(now);
    this.#room = room_id;
    this.#told = now;
    this.#out({ kind: "frame", frame: { type: "typing", room_id } });
  }

  /** It is over, wherever it was. */
  stop(now: number): void {
    if (this.#room !== undefined && now - this.#told < LAPSE_MS) {
      this.#out({ kind: "frame", frame: { type: "typing.stop", room_id: this.#room } });
    }
    this.#room = undefined;
  }

  /** A message ends it without being told. */
  sent(room_id: RoomId): void {
    if (room_id === this.#room) this.#room = undefined;
  }
}

interface Typist {
  readonly room_id: RoomId;
  readonly account_id: AccountId;
  until: number;
}

/**
 * Who else types where: until the server says that it is over, or for as long as it said, five seconds at
 * most.
 */
export class Typists {
  readonly #out: Out;
  readonly #shown = new Map<string, Typist>();
  /** What the server's clock is ahead of this one's. */
  #ahead = 0;

  constructor(out: Out) {
    this.#out = out;
  }

  welcomed(serverTime: Time, now: number): void {
    this.#ahead = serverTime - now;
  }

  typing(room_id: RoomId, account_id: AccountId, until: Time, now: number): void {
    const key = `${room_id}/${account_id}`;
    const end = now + Math.min(Math.max(until - this.#ahead - now, 0), LAPSE_MS);
    const known = this.#shown.get(key);
    if (end === now || (!known && this.#shown.size >= MOST)) return;
    if (known) {
      known.until = end;
      return;
    }
    this.#shown.set(key, { room_id, account_id, until: end });
    this.#out({ kind: "typing", room_id, account_id, typing: true });
  }

  stopped(room_id: RoomId, account_id: AccountId): void {
    this.#end(`${room_id}/${account_id}`);
  }

  #end(key: string): void {
    const typist = this.#shown.get(key);
    if (!typist) return;
    this.#shown.delete(key);
    const { room_id, account_id } = typist;
    this.#out({ kind: "typing", room_id, account_id, typing: false });
  }

  #endAll(which: (typist: Typist) => boolean): void {
    for (const [key, typist] of [...this.#shown]) if (which(typist)) this.#end(key);
  }

  /** The room is not followed any more. */
  end(room_id: RoomId): void {
    this.#endAll((typist) => typist.room_id === room_id);
  }

  lost(): void {
    this.#endAll(() => true);
  }

  get deadline(): number {
    let first = Infinity;
    for (const typist of this.#shown.values()) first = Math.min(first, typist.until);
    return first;
  }

  tick(now: number): void {
    this.#endAll((typist) => typist.until <= now);
  }
}
