import type { ErrorFrame, MessageAck, Resumed, ServerFrame, Welcome } from "../protocol/frames.ts";
import type { Message, MessageReceive, RoomEvent } from "../protocol/things.ts";
import type { AccountId, RoomId } from "../protocol/values.ts";
import { Backoff } from "./backoff.ts";
import { messageOf } from "./follower.ts";
import { Followers } from "./followers.ts";
import type { Input } from "./input.ts";
import { Link } from "./link.ts";
import { Outbox } from "./outbox.ts";
import type { Outgoing, Output, RoomPosition, Standing } from "./output.ts";
import { Resumption } from "./resumption.ts";
import { Signals } from "./signals.ts";

/** How a client behaves. */
export interface RulesOptions {
  /** How many servers there are; 1 unless said. */
  servers?: number;
  /** From 0 to 1. */
  random: () => number;
  /** How many sends may wait for their acknowledgement; 1,000 unless said. */
  queue_limit?: number;
  /** The rooms of which the newest page is read when they are met for the first time; none unless said. */
  reads_newest?: (room_id: RoomId) => boolean;
  /** What the program has already, from an earlier run. */
  positions?: readonly RoomPosition[];
  /** What it was told of its seats on an earlier connection. */
  standings?: readonly Standing[];
  /** Whether senders are told what was received, in rooms with receipts; true unless said. */
  confirms_delivered?: boolean;
}

/**
 * Decides what a client does and shows when something happens to it. It has no clock, network or
 * randomness of its own: whoever runs it carries out the outputs in their order and gives it a `tick` at
 * the deadline. The rules are those of `src/test/resources/cases/README.md`.
 *
 * Times are milliseconds of a clock that only goes forward.
 */
export class Rules {
  readonly #link: Link;
  readonly #rooms: Followers;
  readonly #outbox: Outbox;
  readonly #resumption: Resumption;
  readonly #signals: Signals;
  #outputs: Output[] = [];
  #account: AccountId = "";
  #closed = false;
  /** Why nothing is sent until the program connects again. */
  #stopped: string | undefined;
  #now = 0;

  constructor(options: RulesOptions) {
    const out = (output: Output): void => this.#emit(output);
    const backoff = new Backoff(options.random);
    this.#link = new Link(options.servers ?? 1, backoff, out);
    this.#rooms = new Followers(options.positions ?? [], options.reads_newest ?? (() => false), out);
    this.#resumption = new Resumption(this.#rooms, out);
    this.#outbox = new Outbox(options.queue_limit ?? 1_000, backoff, out);
    this.#signals = new Signals(options.confirms_delivered ?? true, options.standings ?? [], backoff, out);
  }

  /** What to do after this input, in this order. */
  take(input: Input, now: number): Output[] {
    this.#now = now;
    this.#outputs = [];
    this.#input(input);
    return this.#outputs;
  }

  /** When a `tick` is due; `Infinity`: not before something else happens. */
  get deadline(): number {
    if (!this.#link.isOpen) return this.#link.deadline;
    return Math.min(
      this.#link.deadline,
      this.#rooms.deadline,
      this.#outbox.deadline,
      this.#resumption.deadline,
      this.#signals.deadline,
    );
  }

  /** Where the client stands in the rooms of which it can be resumed. */
  positions(): RoomPosition[] {
    return this.#rooms.positions();
  }

  /** The same of one room. */
  position(room_id: RoomId): RoomPosition | undefined {
    return this.#rooms.position(room_id);
  }

  /**
   * A message of this account that is shown settles its send, whichever way it came. Sends that are not
   * settled when the client stops fail.
   */
  #emit(output: Output): void {
    if (output.kind === "said") this.#settle(output.message);
    else if (output.kind === "reset") output.page.messages.forEach((message) => this.#settle(message));
    this.#outputs.push(output);
    this.#signals.noticed(output, this.#now);
    if (output.kind === "state") {
      this.#stopped = output.state === "stopped" ? (output.why ?? "") : undefined;
      this.#giveUpWhenStopped();
    }
  }

  #settle(message: Message): void {
    if (message.sender_id === this.#account) this.#outbox.seen(message, this.#now);
  }

  #giveUpWhenStopped(): void {
    if (this.#stopped === undefined) return;
    this.#outbox.close(this.#stopped);
    this.#signals.seats.stopped();
  }

  #input(input: Input): void {
    const now = this.#now;
    switch (input.kind) {
      case "connect":
        if (!this.#closed) this.#link.connect(now);
        return;
      case "close":
        return this.#close();
      case "probe":
        return this.#link.probe(now);
      case "send":
        return this.#send(input.message);
      case "discard":
        return this.#outbox.discard(input.client_id, now);
      case "read":
        return this.#signals.markers.read(input.room_id, input.seq, now);
      case "unread":
        return this.#signals.markers.forgetRead(input.room_id);
      case "typing":
        return this.#signals.typing.typing(input.room_id, now);
      case "typing_stop":
        return this.#signals.typing.stop(now);
      case "enter":
        this.#signals.seats.enter(input.room_id);
        return this.#giveUpWhenStopped();
      case "exit":
        return this.#signals.seats.exit(input.room_id);
      case "opened":
        return this.#link.opened(now);
      case "unopened":
        return this.#link.unopened(now);
      case "closed":
        this.#lost();
        return this.#link.closed(input.code, now);
      case "frame":
        return this.#received(input.frame);
      case "token_renewed":
        return this.#link.tokenRenewed(now);
      case "token_refused":
        return this.#link.tokenRefused();
      case "token_unavailable":
        return this.#link.tokenUnavailable(now);
      case "history":
        return this.#rooms.historyRead(input.ask, input.page, now);
      case "events":
        return this.#rooms.eventsRead(input.ask, input.page, now);
      case "read_failed":
        return this.#rooms.readFailed(input.ask, input.error, now);
      case "rooms":
        return this.#listed(input.rooms);
      case "rooms_failed":
        return this.#resumption.listFailed(input.error, now);
      case "tick":
        return this.#tick();
    }
  }

  #send(message: Outgoing): void {
    this.#signals.typing.sent(message.room_id);
    this.#outbox.add(message, this.#now);
    this.#giveUpWhenStopped();
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#link.isOpen) this.#emit({ kind: "frame", frame: { type: "bye" } });
    this.#emit({ kind: "hang_up" });
    this.#lost();
    this.#link.stop("closed");
  }

  #lost(): void {
    this.#resumption.lost();
    this.#rooms.lost();
    this.#outbox.lost();
    this.#signals.lost();
  }

  /** Types that this version does not know are ignored. */
  #received(frame: ServerFrame): void {
    if (!this.#link.isOpen) return;
    this.#link.received(this.#now);
    switch (frame.type) {
      case "welcome":
        return this.#welcome(frame);
      case "resumed":
        return this.#resumed(frame);
      case "message.receive":
      case "room.event":
        return this.#event(frame);
      case "room.gap":
        return this.#rooms.frame(frame, this.#now);
      case "room.added":
        this.#rooms.added(frame.room);
        return this.#signals.listed(frame.room.room_id, frame.room.receipts);
      case "room.removed":
        return this.#rooms.remove(frame.room_id, frame.reason);
      case "message.ack":
        return this.#acknowledged(frame);
      case "seat.inside":
        this.#signals.frame(frame, this.#now);
        return this.#rooms.readable(frame.room_id);
      case "ok":
        return this.#signals.answered(frame.re ?? "", this.#now);
      case "error":
        return this.#refused(frame);
      case "goodbye":
        return this.#link.goodbye(frame);
      default:
        return this.#signals.frame(frame, this.#now);
    }
  }

  #welcome(welcome: Welcome): void {
    this.#link.welcomed();
    this.#account = welcome.account_id;
    this.#resumption.welcomed(welcome);
    this.#signals.welcomed(welcome, this.#now);
    this.#outbox.online(welcome.limits, this.#now);
  }

  #resumed(resumed: Resumed): void {
    if (!this.#resumption.resumed(resumed)) return;
    this.#link.live(this.#now);
    this.#signals.live(this.#now);
    this.#resumption.listMore();
  }

  #event(frame: MessageReceive | RoomEvent): void {
    if (frame.type === "message.receive") {
      if (frame.sender_id === this.#account) this.#outbox.seen(messageOf(frame), this.#now);
    } else if ("receipts" in frame) {
      this.#signals.markers.receipts(frame.room_id, frame.receipts ?? false);
    }
    this.#rooms.frame(frame, this.#now);
  }

  /** One without a `client_id` is about what others have received or read. */
  #acknowledged(ack: MessageAck): void {
    if ("client_id" in ack) this.#outbox.acknowledged(ack, this.#now);
    else this.#signals.frame(ack, this.#now);
  }

  #refused(error: ErrorFrame): void {
    const re = error.re ?? "";
    const { code, message, field, retryable, retry_after_ms } = error;
    const info = {
      code,
      message,
      retryable,
      ...(field !== undefined && { field }),
      ...(retry_after_ms !== undefined && { retry_after_ms }),
    };
    if (this.#signals.refused(error, info, this.#now)) return;
    const isSend = this.#outbox.refused(error.client_id ?? re, info, this.#now);
    if (!isSend && this.#resumption.awaits(re)) this.#drop("resume refused");
  }

  #drop(why: string): void {
    this.#lost();
    this.#link.drop(why, this.#now);
  }

  #listed(rooms: readonly (RoomPosition & { receipts?: boolean })[]): void {
    if (!this.#link.isOpen) return;
    this.#resumption.listed(rooms);
    for (const room of rooms) this.#signals.listed(room.room_id, room.receipts ?? false);
  }

  #tick(): void {
    const now = this.#now;
    if (this.#link.isOpen) {
      this.#rooms.tick(now);
      this.#resumption.tick(now);
      this.#signals.tick(now);
    }
    if (this.#link.tick(now)) this.#lost();
    else if (this.#outbox.tick(now)) this.#drop("silent");
  }
}
