import type { ErrorInfo } from "../model/views.ts";
import type { ClientFrame } from "../protocol/frames.ts";
import type { HistoryPage, Message, MessageDeleted, RoomEvent } from "../protocol/things.ts";
import type { AccountId, ClientId, Epoch, LeaveReason, Rev, RoomId, Seq, Time } from "../protocol/values.ts";

/** Where a client stands in a room: all events up to `rev`, and no message above `seq`. */
export interface RoomPosition {
  room_id: RoomId;
  epoch: Epoch;
  seq: Seq;
  rev: Rev;
}

/** A message to be sent, with the id that all its tries share. */
export interface Outgoing {
  room_id: RoomId;
  client_id: ClientId;
  body: string;
  reply_to?: Seq;
  topic?: string;
}

/** `log` tells the reads of one membership from those of a later one. */
export interface HistoryAsk {
  kind: "read_history";
  room_id: RoomId;
  log: number;
}
export interface EventsAsk {
  kind: "read_events";
  room_id: RoomId;
  log: number;
  epoch: Epoch;
  after_rev: Rev;
}

export interface StateChange {
  kind: "state";
  state: "connecting" | "live" | "waiting" | "stopped";
  why?: string;
  /** In `waiting`. */
  retry_in_ms?: number;
}

/** A message of the account is stored. `ts` is absent from none; `duplicate`: by an earlier try. */
export interface Stored {
  kind: "stored";
  room_id: RoomId;
  client_id: ClientId;
  seq: Seq;
  rev: Rev;
  ts: Time;
  duplicate?: true;
}

/** What is done with a numbered event that is no message. */
type Told = Exclude<RoomEvent, { kind: "hidden" | "message.edited" | "message.deleted" }>;

/** Something to show of a room. They come in the order of revs, each once. */
export type Update =
  | { kind: "said"; message: Message }
  | { kind: "edited"; message: Message }
  | { kind: "deleted"; event: MessageDeleted }
  | { kind: "event"; event: Told }
  /** The log begins anew with a page; `gap`: something may be missing before it. */
  | { kind: "reset"; room_id: RoomId; page: HistoryPage; gap: boolean };

/** The account has a seat in a room with a capacity, waits for one, or is offered one. */
export type Standing =
  | { kind: "seat_inside"; room_id: RoomId; inside: number; capacity: number }
  | {
      kind: "seat_waiting";
      room_id: RoomId;
      position: number;
      ahead: number;
      waiting: number;
      /** Absent: nobody knows. */
      estimate_s?: number;
      place: string;
    }
  | { kind: "seat_offer"; room_id: RoomId; until: Time };

/** How things stand in a room, without a number and without a place among the updates. */
export type Signal =
  | Standing
  /** The account has neither seat nor place any more. */
  | { kind: "seat_lost"; room_id: RoomId; reason: "left" | "expired" | "removed" }
  /** The program is not inside a room that it wanted to enter, and has no place in the line. */
  | { kind: "not_entered"; room_id: RoomId; error: ErrorInfo }
  | {
      kind: "marker";
      room_id: RoomId;
      account_id: AccountId;
      read_seq?: Seq;
      delivered_seq?: Seq;
      unread_from?: Seq;
    }
  | { kind: "delivered"; room_id: RoomId; seq: Seq }
  | { kind: "read"; room_id: RoomId; seq: Seq }
  | { kind: "unread"; room_id: RoomId; unread: number; mentions: number; total: number; seq: Seq }
  | { kind: "typing"; room_id: RoomId; account_id: AccountId; typing: boolean };

/** Something that the rules decided to do. Outputs are carried out in their order. */
export type Output =
  /** Open a socket to this one of the servers; answered by `opened` or `unopened`. */
  | { kind: "connect"; server: number }
  /** Write a frame. A `hello` gets its token on the way. */
  | { kind: "frame"; frame: ClientFrame }
  /** Drop the socket; what it still brings is not told. */
  | { kind: "hang_up" }
  /** Answered by `token_renewed`, `token_refused` or `token_unavailable`. */
  | { kind: "renew_token" }
  /** List all rooms; answered by `rooms` or `rooms_failed`. */
  | { kind: "list_rooms" }
  /** Read the newest page; answered by `history` or `read_failed`. */
  | HistoryAsk
  /** Read what happened after a rev; answered by `events` or `read_failed`. */
  | EventsAsk
  | StateChange
  /** The room is followed from here. */
  | ({ kind: "added" } & RoomPosition)
  /** The room is not followed any more; `gone`: its end was not noticed. */
  | { kind: "removed"; room_id: RoomId; reason: LeaveReason | "gone" }
  | Update
  | Signal
  | Stored
  /** The send was refused for now; it is sent again at this time of the clock, and nothing of its room before. */
  | { kind: "delayed"; client_id: ClientId; error: ErrorInfo; until: number }
  /** The send never will be stored. */
  | { kind: "failed"; client_id: ClientId; error: ErrorInfo };

export type Out = (output: Output) => void;
