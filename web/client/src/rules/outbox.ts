import type { ErrorInfo } from "../model/views.ts";
import type { Limits, SentAck } from "../protocol/frames.ts";
import type { Message } from "../protocol/things.ts";
import type { ClientId } from "../protocol/values.ts";
import type { Backoff } from "./backoff.ts";
import { objection, sendFrame, USUAL_LIMITS } from "./limits.ts";
import type { Out, Outgoing, Stored } from "./output.ts";
import { type Entry, SendQueue } from "./queue.ts";

const LONGEST_WAIT_MS = 60_000;
const ANSWER_MS = 30_000;
const TRIES_AT_A_BUG = 5;

/**
 * The sends that no answer has settled yet, in the order in which they were made. Each is sent again, with
 * the same `client_id`, until it is stored or refused for good; meanwhile later sends to its room wait.
 */
export class Outbox {
  readonly #queue = new SendQueue();
  readonly #limit: number;
  readonly #backoff: Backoff;
  readonly #out: Out;
  #online = false;
  #window = 1;
  #limits: Pick<Limits, "body_bytes" | "frame_bytes"> = USUAL_LIMITS;

  constructor(limit: number, backoff: Backoff, out: Out) {
    this.#limit = limit;
    this.#backoff = backoff;
    this.#out = out;
  }

  /** One that is there already is the same send. */
  add(message: Outgoing, now: number): void {
    if (this.#queue.has(message.client_id)) return;
    const wrong = objection(message, this.#limits);
    if (wrong) {
      this.#fail(message, wrong);
    } else if (this.#queue.size >= this.#limit) {
      this.#fail(message, { code: "queue_full", message: "too many sends wait", retryable: false });
    } else {
      this.#queue.add(message, now);
      this.#pump(now);
    }
  }

  /** Gives a send up without a word; what was sent of it may be stored all the same. */
  discard(client_id: ClientId, now: number): void {
    if (this.#queue.settle(client_id)) this.#pump(now);
  }

  /** A connection takes sends from now on. */
  online(limits: Limits, now: number): void {
    this.#online = true;
    this.#limits = limits;
    this.#window = Math.max(1, Math.floor(limits.requests / 2));
    for (const entry of this.#queue.all()) this.#refuseIfTooLarge(entry);
    this.#pump(now);
  }

  /** Another server's limits had let it in. */
  #refuseIfTooLarge(entry: Entry): void {
    const wrong = objection(entry.message, this.#limits);
    if (!wrong) return;
    this.#queue.settle(entry.message.client_id);
    this.#fail(entry.message, wrong);
  }

  /** The connection is lost: sends under way may be stored or not, and are sent again. */
  lost(): void {
    this.#online = false;
    this.#queue.restart();
  }

  #pump(now: number): void {
    while (this.#online && this.#queue.underWay < this.#window) {
      const entry = this.#queue.take(now, now + ANSWER_MS);
      if (!entry) return;
      this.#out({ kind: "frame", frame: sendFrame(entry.message) });
    }
  }

  /** A server acknowledges a send. */
  acknowledged(ack: SentAck, now: number): void {
    const { room_id, client_id, seq, rev, ts, duplicate } = ack;
    this.#stored({ kind: "stored", room_id, client_id, seq, rev, ts, ...(duplicate && { duplicate }) }, now);
  }

  /** A message of this account came in its room, so it is stored. */
  seen(message: Message, now: number): void {
    const { room_id, client_id, seq, rev, ts } = message;
    this.#stored({ kind: "stored", room_id, client_id, seq, rev, ts }, now);
  }

  #stored(stored: Stored, now: number): void {
    if (!this.#queue.settle(stored.client_id)) return;
    this.#out(stored);
    this.#pump(now);
  }

  /** @returns whether the error was about a send that waits for its answer */
  refused(client_id: ClientId, error: ErrorInfo, now: number): boolean {
    const entry = this.#queue.awaited(client_id);
    if (!entry) return false;
    const asked = error.retry_after_ms ?? 0;
    const isBug = error.code === "internal" && entry.refusals + 1 >= TRIES_AT_A_BUG;
    if (!worthATry(error) || isBug || asked > LONGEST_WAIT_MS) {
      this.#queue.settle(client_id);
      this.#fail(entry.message, error);
    } else {
      const until = now + Math.max(asked, this.#backoff.delay(entry.refusals++));
      this.#queue.again(entry, until);
      this.#out({ kind: "delayed", client_id, error, until });
    }
    this.#pump(now);
    return true;
  }

  /** Gives up all sends; their outcome is unknown. */
  close(why: string): void {
    const left = this.#queue.all();
    this.#queue.clear();
    for (const entry of left) {
      this.#fail(entry.message, { code: "closed", message: `the client has stopped: ${why}`, retryable: false });
    }
  }

  #fail(message: Outgoing, error: ErrorInfo): void {
    this.#out({ kind: "failed", client_id: message.client_id, error });
  }

  /** When the next answer is overdue, or the next send may go again. */
  get deadline(): number {
    if (!this.#online) return Infinity;
    const send = this.#queue.underWay < this.#window ? this.#queue.sendDue : Infinity;
    return Math.min(this.#queue.answerDue, send);
  }

  /**
   * Sends what is due.
   *
   * @returns whether an answer is overdue, so that the connection must be dropped
   */
  tick(now: number): boolean {
    if (this.#online && this.#queue.answerDue <= now) return true;
    this.#pump(now);
    return false;
  }
}

/**
 * Whether the send may be stored later. A server that wants new tokens closes the socket, and they are
 * obtained then.
 */
function worthATry(error: ErrorInfo): boolean {
  return error.retryable || error.code === "unauthorized" || error.code === "token_expired";
}
