import type { ErrorInfo } from "../model/views.ts";
import type { Limits, Resume, Resumed, Welcome } from "../protocol/frames.ts";
import { readAgain } from "./backoff.ts";
import type { Followers } from "./followers.ts";
import type { Out, RoomPosition } from "./output.ts";

/**
 * How the rooms of a new connection are resumed: a page of `resume` after the other, and then the rooms
 * that had no place in `welcome`, once they are listed.
 */
export class Resumption {
  readonly #rooms: Followers;
  readonly #out: Out;
  readonly #unanswered = new Set<string>();
  #pages = 0;
  #limits: Limits = { frame_bytes: 65_536, body_bytes: 16_384, requests: 2, rooms: 128 };
  #moreRooms = false;
  /** When to list the rooms again. */
  #listAt = Infinity;
  /** Lists in a row that failed. */
  #failures = 0;

  constructor(rooms: Followers, out: Out) {
    this.#rooms = rooms;
    this.#out = out;
  }

  welcomed(welcome: Welcome): void {
    this.#limits = welcome.limits;
    this.#moreRooms = welcome.more_rooms ?? false;
    for (const page of this.#rooms.welcomed(welcome)) this.#resume(page);
  }

  #resume(page: Resume): void {
    const id = `resume-${++this.#pages}`;
    this.#unanswered.add(id);
    this.#out({ kind: "frame", frame: { ...page, id } });
  }

  /**
   * A page is answered.
   *
   * @returns whether it was the last one
   */
  resumed(resumed: Resumed): boolean {
    this.#rooms.resumed(resumed.rooms);
    return this.#unanswered.delete(resumed.re ?? "") && this.#unanswered.size === 0;
  }

  /** Whether this is the id of a page without an answer. */
  awaits(id: string): boolean {
    return this.#unanswered.has(id);
  }

  /** Lists the rooms when `welcome` did not name all. */
  listMore(): void {
    if (!this.#moreRooms) return;
    this.#moreRooms = false;
    this.#out({ kind: "list_rooms" });
  }

  listed(all: readonly RoomPosition[]): void {
    this.#failures = 0;
    for (const page of this.#rooms.listed(all, this.#limits)) this.#resume(page);
  }

  listFailed(error: ErrorInfo | undefined, now: number): void {
    this.#listAt = now + readAgain(this.#failures++, error);
  }

  lost(): void {
    this.#unanswered.clear();
    this.#listAt = Infinity;
  }

  get deadline(): number {
    return this.#listAt;
  }

  tick(now: number): void {
    if (this.#listAt > now) return;
    this.#listAt = Infinity;
    this.#out({ kind: "list_rooms" });
  }
}
