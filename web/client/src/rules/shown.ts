import type { HistoryPage, Message } from "../protocol/things.ts";
import type { Rev, Seq } from "../protocol/values.ts";
import type { Update } from "./output.ts";

/** The rev of a message's present state. */
export function stateRev(message: Message): Rev {
  return Math.max(message.rev, message.changed_rev ?? 0);
}

/**
 * The messages of a room that a program has seen, and those of them in a state newer than the room's
 * position: a change that a page or a replay has shown already is not shown again when its event comes.
 * Holds no more than the messages of one page or replay.
 */
export class ShownMessages {
  readonly #ahead = new Map<Seq, Rev>();
  #newest: Seq;

  constructor(newest: Seq) {
    this.#newest = newest;
  }

  get newest(): Seq {
    return this.#newest;
  }

  /** A page takes the place of all that was shown. */
  reset(page: HistoryPage): void {
    this.#ahead.clear();
    this.#newest = page.seq;
    for (const message of page.messages) {
      this.#newest = Math.max(this.#newest, message.seq);
      this.#remember(message, page.rev);
    }
  }

  /** Whether this update shows something new as of `rev`; then it counts as shown. */
  take(update: Update, rev: Rev): boolean {
    switch (update.kind) {
      case "said":
        return this.#said(update.message, rev);
      case "edited":
        return this.#edited(update.message, rev);
      case "deleted":
        return this.#isBehind(update.event.seq, rev);
      default:
        return true;
    }
  }

  #said(message: Message, rev: Rev): boolean {
    if (message.seq <= this.#newest) return false;
    this.#newest = message.seq;
    this.#remember(message, rev);
    return true;
  }

  #edited(message: Message, rev: Rev): boolean {
    const isNew = this.#isBehind(message.seq, Math.max(stateRev(message), rev));
    if (isNew) this.#remember(message, rev);
    return isNew;
  }

  #isBehind(seq: Seq, state: Rev): boolean {
    return state > (this.#ahead.get(seq) ?? 0);
  }

  #remember(message: Message, position: Rev): void {
    if (stateRev(message) > position) this.#ahead.set(message.seq, stateRev(message));
  }

  /** The room has come to this rev, so older states are forgotten. */
  passed(rev: Rev): void {
    for (const [seq, state] of this.#ahead) if (state <= rev) this.#ahead.delete(seq);
  }
}
