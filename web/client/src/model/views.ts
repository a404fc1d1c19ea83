import type { LocalCode } from "../http/error.ts";
import type { MemberJoined, MemberLeft, MemberMuted, MemberRole, MembersChanged, Message, Room, RoomArchived, RoomChanged, Sealed } from "../protocol/things.ts";
import type { Standing } from "../rules/output.ts";
import type { AccountId, ClientId, DeviceId, ErrorCode, LeaveReason, Rev, RoomId, Seq, Time } from "../protocol/values.ts";

/** Who is signed in, as far as it is known. */
export type Session =
  /** Nothing was read yet. */
  | { state: "unknown" }
  /** `why`: absent where nobody was, or signed out on purpose; else for a person. `handle`: who was. */
  | { state: "signed_out"; why?: string; handle?: string }
  | { state: "signed_in"; account_id: AccountId; device_id: DeviceId; handle: string };

/** How the connection is. */
export interface Connection {
  /**
   * `connecting`: a socket is being opened, or has not caught up yet. `live`: rooms are followed.
   * `waiting`: lost; the next try comes by itself in `retry_in_ms`. `stopped`: it does not come back by
   * itself: signed out, displaced by another connection of the device, revoked, or never begun.
   */
  state: "connecting" | "live" | "waiting" | "stopped";
  /** For a person, such as `unreachable` or `going away`; absent when all is well. */
  why?: string;
  /** From the moment of the change on; in `waiting`. */
  retry_in_ms?: number;
  /** The same as a time of this machine's clock. */
  retry_at?: number;
  /** When it was live last, by this machine's clock; absent when it is live or never was. */
  lost_at?: number;
  /** How far the server's clock is ahead of this machine's; absent where they agree within a second, or never met. */
  server_ahead_ms?: number;
}

/** A room of the account with what a list of rooms shows. A new object whenever something in it changed. */
export interface RoomState {
  readonly room: Room;
  /** Up to where the account has read. */
  readonly read_seq: Seq;
  /** From where it wants to see messages as unread. */
  readonly unread_from?: Seq;
  readonly unread: number;
  /** Those of the unread messages that mention the account. */
  readonly mentions: number;
  /** A tombstone where it was deleted; absent where there is none, or none may be seen. */
  readonly last_message?: Message;
  /** Who else types, in the order in which they began. */
  readonly typing: readonly AccountId[];
  /** What was written and not sent, empty where there is nothing. */
  readonly draft: string;
  /** How many sends wait or failed. */
  readonly pending: number;
  /** The account's seat in a room with a capacity, its place in the line, or an offer; absent: neither. */
  readonly seat?: Standing;
  /** Why it has none of these, where it had one or was refused one; until it has one again. */
  readonly no_seat?: NoSeat;
}

/** A seat or place that ended, or the refusal of one. */
export type NoSeat = { readonly reason: "left" | "expired" | "removed" } | { readonly error: ErrorInfo };

/** A message as a log shows it. */
export type LogMessage = Message & {
  /** One's own, acknowledged with its place but not yet received: earlier ones may still come. */
  provisional?: true;
};

/** The newest messages of a room, without a hole but for what stands before a provisional one; oldest first. */
export interface RoomLog {
  readonly messages: readonly LogMessage[];
  /** Whether the room has messages before the first of these; where there are none here: whether it may have any. */
  readonly has_older: boolean;
  /** Another number: the log began anew after a gap. Whatever was read before may lack messages. */
  readonly generation: number;
}

/** A message on its way. It is sent again, with the same `client_id`, until it is stored or refused. */
export interface PendingSend {
  readonly client_id: ClientId;
  readonly room_id: RoomId;
  readonly body: string;
  readonly reply_to?: Seq;
  readonly topic?: string;
  /** When it was made, by this machine's clock. */
  readonly made_at: number;
  /** `waiting`: it is not settled yet, sent or not. `failed`: it is not sent again unless `retry` says so. */
  readonly state: "waiting" | "failed";
  /** Why it failed, or was refused for now. */
  readonly error?: ErrorInfo;
  /** When one that was refused for now is sent again, by this machine's clock. */
  readonly retry_at?: number;
}

/** An edit or a deletion on its way, shown in place of the message. */
export interface PendingEdit {
  readonly room_id: RoomId;
  readonly seq: Seq;
  /** Absent: it is being deleted. */
  readonly body?: string;
  /** Of an edit: all its tries share it. */
  readonly client_id?: ClientId;
}

/** A `ConfabError` without its class, as it goes from tab to tab and into stores. */
export interface ErrorInfo {
  readonly code: ErrorCode | LocalCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly field?: string;
  readonly retry_after_ms?: number;
  readonly status?: number;
  readonly request_id?: string;
}

/** How far a member has come. */
export interface MemberMarker {
  readonly account_id: AccountId;
  /** Absent where it is not known, or read in private. */
  readonly read_seq?: Seq;
  readonly delivered_seq?: Seq;
}

/** How far others have come with the account's own messages: each covers all lower ones. */
export interface Receipts {
  readonly delivered_seq: Seq;
  readonly read_seq: Seq;
}

/**
 * Something new in a room. Those with a rev come in the order of their revs, each once; a rev that shows
 * this account nothing new gives none.
 */
export type RoomUpdate =
  /** In its present state: one that is read late may already be edited or a tombstone. */
  | { kind: "said"; message: Message }
  /** One's own, that the server has stored: it has its place. `said` follows, with the same message. */
  | { kind: "stored"; message: LogMessage }
  /** It may be older than anything shown. */
  | { kind: "edited"; message: Message }
  /** Became a tombstone. */
  | { kind: "deleted"; room_id: RoomId; seq: Seq; rev: Rev; deleted_at: Time; deleted_by: AccountId }
  /**
   * The log begins anew with these messages, the newest. `gap`: something may be missing between what was
   * shown before and these; what is shown is to be dropped, or read again.
   */
  | { kind: "reset"; room_id: RoomId; messages: readonly Message[]; gap: boolean }
  | { kind: "event"; event: MemberJoined | MemberLeft | MembersChanged | MemberRole | MemberMuted | RoomChanged | RoomArchived | Sealed }
  /** The account is no longer in the room; `gone`: it ended unnoticed. */
  | { kind: "removed"; room_id: RoomId; reason: LeaveReason | "gone" };

/** The same for a message on its way and once it is stored: the key of its node. */
export function messageKey(message: { client_id: ClientId; sender_id?: AccountId }, self: AccountId): string {
  return `${message.sender_id ?? self}/${message.client_id}`;
}
