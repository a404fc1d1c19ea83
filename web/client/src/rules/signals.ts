import type { ErrorInfo } from "../model/views.ts";
import type { ErrorFrame, Marker, ServerFrame, Welcome } from "../protocol/frames.ts";
import type { Message } from "../protocol/things.ts";
import type { AccountId, RoomId } from "../protocol/values.ts";
import type { Backoff } from "./backoff.ts";
import { OwnMarkers } from "./markers.ts";
import type { Out, Output, Signal, Standing } from "./output.ts";
import { OwnSeats } from "./seats.ts";
import { OwnTyping, Typists } from "./typing.ts";

/** What is told besides the numbered events of rooms: who types, what was received and read, and where one is inside. */
export class Signals {
  readonly markers: OwnMarkers;
  readonly typing: OwnTyping;
  readonly seats: OwnSeats;
  readonly #typists: Typists;
  readonly #out: Out;
  #account: AccountId = "";

  constructor(confirmsDelivered: boolean, standings: readonly Standing[], backoff: Backoff, out: Out) {
    this.#out = out;
    this.markers = new OwnMarkers(confirmsDelivered, out);
    this.typing = new OwnTyping(out);
    this.#typists = new Typists(out);
    this.seats = new OwnSeats(standings, backoff, out);
  }

  welcomed(welcome: Welcome, now: number): void {
    this.#account = welcome.account_id;
    this.#typists.welcomed(welcome.server_time, now);
    for (const room of welcome.rooms) this.listed(room.room_id, room.receipts);
  }

  /** A room that the account is in. */
  listed(room_id: RoomId, receipts: boolean): void {
    this.markers.follow(room_id);
    this.markers.receipts(room_id, receipts);
  }

  /** Rooms are followed. */
  live(now: number): void {
    this.typing.online();
    this.markers.online(now);
    this.seats.live(now);
  }

  lost(): void {
    this.markers.lost();
    this.typing.lost();
    this.#typists.lost();
    this.seats.lost();
  }

  frame(frame: ServerFrame, now: number): void {
    switch (frame.type) {
      case "marker":
        return this.#marker(frame);
      case "unread": {
        const { room_id, unread, mentions, total, seq } = frame;
        return this.#tell({ kind: "unread", room_id, unread, mentions, total, seq });
      }
      case "typing":
        if (this.markers.follows(frame.room_id)) {
          this.#typists.typing(frame.room_id, frame.account_id, frame.until, now);
        }
        return;
      case "typing.stop":
        return this.#typists.stopped(frame.room_id, frame.account_id);
      case "message.ack":
        if (frame.status === "delivered" || frame.status === "read") this.#tell({ kind: frame.status, room_id: frame.room_id, seq: frame.seq });
        return;
      case "seat.inside":
      case "seat.waiting":
      case "seat.offer":
        return this.seats.told(frame);
      case "seat.lost":
        return this.seats.taken(frame);
    }
  }

  /** The request of this number was done. */
  answered(re: string, now: number): void {
    if (!this.seats.settled(re, now)) this.markers.answered(re, now);
  }

  /** @returns whether it was one of these requests that was refused */
  refused(error: ErrorFrame, info: ErrorInfo, now: number): boolean {
    const re = error.re ?? "";
    return this.seats.settled(re, now, info) || this.markers.refused(re, error, now);
  }

  #marker(frame: Marker): void {
    const { type: _type, room_id, account_id, read_seq, delivered_seq, unread_from } = frame;
    if (account_id === this.#account) this.markers.known(room_id, read_seq ?? 0, delivered_seq ?? 0, unread_from);
    this.#tell({
      kind: "marker",
      room_id,
      account_id,
      ...(read_seq !== undefined && { read_seq }),
      ...(delivered_seq !== undefined && { delivered_seq }),
      ...(unread_from !== undefined && { unread_from }),
    });
  }

  #tell(signal: Signal): void {
    if (this.markers.follows(signal.room_id)) this.#out(signal);
  }

  /** What the rules decided besides: a message that is shown was received, and is no longer typed. */
  noticed(output: Output, now: number): void {
    switch (output.kind) {
      case "said":
        this.#typists.stopped(output.message.room_id, output.message.sender_id);
        return this.#received(output.message, now);
      case "reset":
        for (const message of output.page.messages) this.#received(message, now);
        return;
      case "added":
        return this.markers.follow(output.room_id);
      case "removed":
        this.markers.end(output.room_id);
        this.#typists.end(output.room_id);
        return this.seats.end(output.room_id);
    }
  }

  #received(message: Message, now: number): void {
    if (message.sender_id !== this.#account) this.markers.received(message.room_id, message.seq, now);
  }

  get deadline(): number {
    return Math.min(this.markers.deadline, this.#typists.deadline, this.seats.deadline);
  }

  tick(now: number): void {
    this.markers.tick(now);
    this.#typists.tick(now);
    this.seats.tick(now);
  }
}
