import type { Goodbye } from "../protocol/frames.ts";
import type { Backoff } from "./backoff.ts";
import type { Out, StateChange } from "./output.ts";

const CONNECT_MS = 10_000;
const GREET_MS = 15_000;
const QUIET_MS = 20_000;
const PONG_MS = 10_000;
const PROBE_MS = 3_000;

const GOING_AWAY = 4000;
const AUTHENTICATE = 4401;
const DISPLACED = 4409;
const STOPS_FROM = 4500;
const STOPS_BEFORE = 5000;

type State = "stopped" | "renewing" | "opening" | "greeting" | "live" | "waiting";

/** The rules of the connection: to which server, when to try again, and whether it is alive. */
export class Link {
  readonly #servers: number;
  readonly #backoff: Backoff;
  readonly #out: Out;
  #state: State = "stopped";
  #server = 0;
  #failures = 0;
  #deadline = 0;
  #pinged = false;
  #goodbye: Goodbye | undefined;
  /** Whether the next try needs new tokens. */
  #renewFirst = false;
  /** Whether the tokens are new and no server has accepted them yet. */
  #renewed = false;

  constructor(servers: number, backoff: Backoff, out: Out) {
    this.#servers = servers;
    this.#backoff = backoff;
    this.#out = out;
  }

  /** Whether a socket is open. */
  get isOpen(): boolean {
    return this.#state === "greeting" || this.#state === "live";
  }

  /** Connects, at once where it was waiting. */
  connect(now: number): void {
    if (this.#state === "stopped" || this.#state === "waiting") this.#next(now);
  }

  #next(now: number): void {
    this.#report({ kind: "state", state: "connecting" });
    if (this.#renewFirst) {
      this.#state = "renewing";
      this.#out({ kind: "renew_token" });
    } else {
      this.#open(now);
    }
  }

  #open(now: number): void {
    this.#state = "opening";
    this.#goodbye = undefined;
    this.#deadline = now + CONNECT_MS;
    this.#out({ kind: "connect", server: this.#server });
  }

  opened(now: number): void {
    if (this.#state !== "opening") return;
    this.#state = "greeting";
    this.#deadline = now + GREET_MS;
    this.#out({ kind: "frame", frame: { type: "hello", id: "hello" } });
  }

  /** The server knows who this is. */
  welcomed(): void {
    this.#renewed = false;
  }

  /** Rooms are followed. */
  live(now: number): void {
    if (this.#state !== "greeting") return;
    this.#state = "live";
    this.#failures = 0;
    this.received(now);
    this.#report({ kind: "state", state: "live" });
  }

  /** A frame was received. */
  received(now: number): void {
    if (this.#state !== "live") return;
    this.#pinged = false;
    this.#deadline = now + QUIET_MS;
  }

  /** The machine slept, or its network changed: whether the connection still works is found out now. */
  probe(now: number): void {
    if (this.#state !== "live") return;
    if (this.#pinged) this.#deadline = Math.min(this.#deadline, now + PROBE_MS);
    else this.#ping(now + PROBE_MS);
  }

  #ping(until: number): void {
    this.#pinged = true;
    this.#deadline = until;
    this.#out({ kind: "frame", frame: { type: "ping" } });
  }

  goodbye(frame: Goodbye): void {
    this.#goodbye = frame;
  }

  /** No socket could be opened. */
  unopened(now: number): void {
    if (this.#state !== "opening") return;
    this.#moveOn();
    this.#wait("unreachable", this.#delay(), now);
  }

  /** The socket is closed. */
  closed(code: number, now: number): void {
    if (!this.isOpen) return;
    const last = this.#goodbye;
    const reason = last?.code ?? code;
    const why = last?.reason ?? (reason === 1006 ? "lost" : `closed ${reason}`);
    if (isFinal(reason) || last?.resume === false) {
      this.stop(why);
    } else if (reason === AUTHENTICATE) {
      this.#unauthorized(why, now);
    } else {
      if (!last || reason === GOING_AWAY) this.#moveOn();
      this.#wait(why, this.#delayAfter(last?.reconnect_after_ms), now);
    }
  }

  /**
   * The wait that the server asks for. A connection that never was live counts as a failure, and the
   * server can only lengthen the wait for it.
   */
  #delayAfter(asked: number | undefined): number {
    if (asked === undefined) return this.#delay();
    return this.#state === "live" ? asked : Math.max(asked, this.#delay());
  }

  #unauthorized(why: string, now: number): void {
    this.#renewFirst = true;
    if (this.#renewed) this.#wait(why, this.#delay(), now);
    else this.#next(now);
  }

  tokenRenewed(now: number): void {
    if (this.#state !== "renewing") return;
    this.#renewFirst = false;
    this.#renewed = true;
    this.#open(now);
  }

  /** The sign-in is over, or there is none. */
  tokenRefused(): void {
    if (this.#state !== "renewing" && this.#state !== "opening") return;
    this.#renewFirst = false;
    this.stop("signed out");
  }

  tokenUnavailable(now: number): void {
    if (this.#state === "renewing") this.#wait("unreachable", this.#delay(), now);
  }

  /** Drops a connection that no longer works. */
  drop(why: string, now: number): void {
    this.#out({ kind: "hang_up" });
    this.#moveOn();
    this.#wait(why, this.#delay(), now);
  }

  stop(why: string): void {
    this.#state = "stopped";
    this.#report({ kind: "state", state: "stopped", why });
  }

  get deadline(): number {
    return this.#state === "stopped" || this.#state === "renewing" ? Infinity : this.#deadline;
  }

  /** @returns whether the connection was given up */
  tick(now: number): boolean {
    if (now < this.deadline) return false;
    switch (this.#state) {
      case "waiting":
        this.#next(now);
        return false;
      case "live":
        if (this.#pinged) {
          this.drop("silent", now);
          return true;
        }
        this.#ping(now + PONG_MS);
        return false;
      case "opening":
      case "greeting":
        this.drop("silent", now);
        return true;
      default:
        return false;
    }
  }

  #delay(): number {
    return this.#backoff.delay(this.#failures++);
  }

  #moveOn(): void {
    this.#server = (this.#server + 1) % this.#servers;
  }

  #wait(why: string, delay: number, now: number): void {
    this.#state = "waiting";
    this.#deadline = now + delay;
    this.#report({ kind: "state", state: "waiting", why, retry_in_ms: delay });
  }

  #report(change: StateChange): void {
    this.#out(change);
  }
}

function isFinal(code: number): boolean {
  return code === DISPLACED || (code >= STOPS_FROM && code < STOPS_BEFORE);
}
