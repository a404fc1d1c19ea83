import type { ErrorInfo } from "../model/views.ts";
import type { EventPage, HistoryPage, Message, MessageReceive, RoomEvent } from "../protocol/things.ts";
import type { Epoch, Rev, RoomId } from "../protocol/values.ts";
import { readAgain } from "./backoff.ts";
import type { EventsAsk, HistoryAsk, Out, RoomPosition, Update } from "./output.ts";
import { ShownMessages } from "./shown.ts";

const MOST_HELD = 1_000;
/** One who is outside may be let read without being told. */
const OUTSIDE_MS = 10_000;
const RETRY_MS = 1_000;

export type Numbered = MessageReceive | RoomEvent;

/** The first rev that an event covers; most cover one. */
function firstRev(event: Numbered): Rev {
  return event.type === "room.event" && event.kind === "members" ? event.rev_from : event.rev;
}

/** The message of a `message.receive`. */
export function messageOf(frame: MessageReceive): Message {
  const { type: _type, epoch: _epoch, ...message } = frame;
  return message as Message;
}

/** What an event shows; undefined when only its number counts. */
function updateOf(event: Numbered): Update | undefined {
  if (event.type === "message.receive") return { kind: "said", message: messageOf(event) };
  switch (event.kind) {
    case "hidden":
      return undefined;
    case "message.edited":
      return { kind: "edited", message: event.message };
    case "message.deleted":
      return { kind: "deleted", event };
    default:
      return { kind: "event", event };
  }
}

/**
 * Follows one room: every rev once, in order.
 *
 * A rev that does not follow the last one shows a hole. Then events are held back, the missing ones are
 * read over HTTP, and the held ones follow. Where the server no longer has the missing events, the newest
 * page of history takes the place of what was shown.
 */
export class RoomFollower {
  readonly log: number;
  readonly #room: RoomId;
  readonly #out: Out;
  readonly #shown: ShownMessages;
  #epoch: Epoch;
  #rev: Rev;
  #held: Numbered[] = [];
  /** While history is read, the position is void until a page brings a new one. */
  #state: "following" | "reading_events" | "reading_history" = "following";
  #gap = false;
  /** No page older than this may be used: events between the page and this rev would be lost. */
  #atLeast: Rev = 0;
  #historyAsked = false;
  #eventsAsked = false;
  #eventsAskedAfter: Rev | undefined;
  #retryAt = Infinity;
  /** Reads in a row that failed. */
  #failures = 0;

  /** @param log identifies the reads of this membership */
  constructor(log: number, start: RoomPosition, out: Out) {
    this.log = log;
    this.#room = start.room_id;
    this.#epoch = start.epoch;
    this.#rev = start.rev;
    this.#shown = new ShownMessages(start.seq);
    this.#out = out;
  }

  get position(): RoomPosition {
    return { room_id: this.#room, epoch: this.#epoch, seq: this.#shown.newest, rev: this.#rev };
  }

  /** Whether a server can be asked for the events after the position. */
  get isResumable(): boolean {
    return this.#state !== "reading_history";
  }

  /**
   * Begins the log anew with the newest page of history.
   *
   * @param gap whether something may have been shown before
   */
  readNewest(epoch: Epoch, from: Rev, gap: boolean): void {
    this.#gap ||= gap;
    this.#held = [];
    this.#epoch = epoch;
    this.#atLeast = from;
    this.#state = "reading_history";
    this.#ask();
  }

  /** The server no longer has the events between the position and this one. */
  unrecovered(epoch: Epoch, from: Rev): void {
    this.readNewest(epoch, from, true);
  }

  /** The connection is lost; the next one resumes from the position, if there is one. */
  lost(): void {
    this.#held = [];
    if (this.#state === "reading_events") this.#state = "following";
  }

  event(event: Numbered, now: number): void {
    if (event.epoch !== this.#epoch) this.unrecovered(event.epoch, event.rev);
    else if (this.#state === "following") this.#follow(event, now);
    else this.#hold(event);
  }

  #hold(event: Numbered): void {
    if (this.#held.length === MOST_HELD) this.#held.shift(); // shows as a hole later, and is read
    this.#held.push(event);
  }

  #follow(event: Numbered, now: number): void {
    if (firstRev(event) > this.#rev + 1) {
      this.#state = "reading_events";
      this.#hold(event);
      this.#askUnlessInVain(now);
    } else if (event.rev > this.#rev) {
      this.#apply(event);
    }
  }

  #apply(event: Numbered): void {
    this.#rev = event.rev;
    const update = updateOf(event);
    if (update && this.#shown.take(update, this.#rev)) this.#out(update);
    this.#shown.passed(this.#rev);
  }

  /** The newest page of history has come. */
  historyRead(page: HistoryPage, now: number): void {
    this.#historyAsked = false;
    this.#failures = 0;
    if (this.#state !== "reading_history") return;
    if (page.epoch !== this.#epoch || this.#atLeast > page.rev) {
      this.#retryAt = now + RETRY_MS;
      return;
    }
    this.#rev = page.rev;
    this.#shown.reset(page);
    this.#state = "following";
    this.#out({ kind: "reset", room_id: this.#room, page, gap: this.#gap });
    this.#gap = true;
    this.#goOn(now);
  }

  /** A page of events has come. */
  eventsRead(page: EventPage, now: number): void {
    this.#eventsAsked = false;
    this.#failures = 0;
    if (this.#state !== "reading_events") return;
    if (!page.recovered || page.epoch !== this.#epoch) {
      this.unrecovered(page.epoch, page.rev);
      return;
    }
    for (const event of page.events) {
      if (firstRev(event) > this.#rev + 1) break;
      if (event.rev > this.#rev) this.#apply(event);
    }
    if (page.rev > this.#rev || page.has_more) {
      this.#askUnlessInVain(now);
      return;
    }
    this.#state = "following";
    this.#goOn(now);
  }

  #goOn(now: number): void {
    while (this.#state === "following" && this.#held.length > 0) {
      const event = this.#held[0]!;
      if (firstRev(event) > this.#rev + 1) {
        this.#state = "reading_events";
        this.#askUnlessInVain(now);
      } else {
        this.#held.shift();
        if (event.rev > this.#rev) this.#apply(event);
      }
    }
  }

  /** A read failed; it is made again. */
  readFailed(ask: HistoryAsk | EventsAsk, error: ErrorInfo, now: number): void {
    if (ask.kind === "read_history") this.#historyAsked = false;
    else this.#eventsAsked = false;
    if (this.#state === "following") return;
    this.#retryAt = now + (error.code === "no_seat" ? OUTSIDE_MS : readAgain(this.#failures++, error));
  }

  get deadline(): number {
    return this.#retryAt;
  }

  tick(now: number): void {
    if (this.#retryAt > now) return;
    this.#retryAt = Infinity;
    this.#ask();
  }

  /** Asks for events, unless the same question brought none: then history is read, after a while. */
  #askUnlessInVain(now: number): void {
    if (this.#rev !== this.#eventsAskedAfter || this.#eventsAsked) {
      this.#ask();
      return;
    }
    this.#state = "reading_history";
    this.#gap = true;
    this.#atLeast = this.#rev;
    this.#retryAt = now + RETRY_MS;
  }

  /** A read under way is not repeated: its answer is judged when it comes. */
  #ask(): void {
    const room_id = this.#room;
    if (this.#state === "reading_history" && !this.#historyAsked) {
      this.#historyAsked = true;
      this.#out({ kind: "read_history", room_id, log: this.log });
    } else if (this.#state === "reading_events" && !this.#eventsAsked) {
      this.#eventsAsked = true;
      this.#eventsAskedAfter = this.#rev;
      this.#out({ kind: "read_events", room_id, log: this.log, epoch: this.#epoch, after_rev: this.#rev });
    }
  }
}
