import type { DeviceInfo, EnvelopeBody, FullDevice, GoneEnvelope, MessageReceive, PresenceView, PresentDevice, ReceivedEnvelope, Room, RoomEvent } from "./things.ts";
import type {
  AccountId,
  ClientId,
  DeviceId,
  Epoch,
  ErrorCode,
  FailureReason,
  LeaveReason,
  MessageType,
  OwnStatus,
  QueueSeq,
  Rev,
  RoomId,
  Seq,
  Status,
  Time,
} from "./values.ts";

/** A request may carry an `id`; its answer carries it as `re`. */
interface Request<T extends string> {
  type: T;
  id?: string;
}

interface Answer<T extends string> {
  type: T;
  re?: string;
}

interface OfMessage {
  room_id: RoomId;
  seq: Seq;
}

/** Where a client stands in a room. */
export interface ResumePoint {
  room_id: RoomId;
  epoch: Epoch;
  rev: Rev;
}

/** Always first, and once. At most one of `ticket` and `token`. */
export type Hello = Request<"hello"> & { ticket?: string; token?: string; device?: DeviceInfo };
/** A newer access token of the same sign-in. */
export type Token = Request<"token"> & { token: string };
/** From here on events come; repeated for rooms that are not live yet. */
export type Resume = Request<"resume"> & { rooms?: ResumePoint[]; last?: boolean };
export type MessageSend = Request<"message.send"> & {
  room_id: RoomId;
  client_id: ClientId;
  msg_type?: MessageType;
  body: string;
  reply_to?: Seq;
  topic?: string;
  local_id?: string;
};
export type MessageEdit = Request<"message.edit"> & OfMessage & { client_id: ClientId; body: string };
export type MessageDelete = Request<"message.delete"> & OfMessage;
export type Typing = Request<"typing"> & { room_id: RoomId };
export type TypingStop = Request<"typing.stop"> & { room_id: RoomId };
export type Read = Request<"read"> & OfMessage;
export type Delivered = Request<"delivered"> & OfMessage;
export type MarkUnread = Request<"mark_unread"> & OfMessage;
/** In place of what was watched before: at most 1,000 accounts and 100 rooms. */
export type PresenceWatch = Request<"presence.watch"> & { accounts?: AccountId[]; rooms?: RoomId[] };
export type PresenceSet = Request<"presence.set"> & { status: OwnStatus; text?: string };
/** `place`: as `seat.waiting` carried it. */
export type RoomEnter = Request<"room.enter"> & { room_id: RoomId; place?: string };
export type RoomExit = Request<"room.exit"> & { room_id: RoomId };
/** To a sealed room; `devices`: the digest of those that the sender knows. */
export type EnvelopeSend = Request<"envelope.send"> & {
  room_id: RoomId;
  client_id: ClientId;
  devices: string;
  payload?: string;
  envelopes?: EnvelopeBody[];
  silent?: boolean;
  expires_in_s?: number;
  local_id?: string;
};
/** Once; then the device gets what waits for it behind `after`. */
export type QueueOpen = Request<"queue.open"> & { epoch?: Epoch; after: QueueSeq };
/** Everything up to this one has arrived. */
export type QueueAck = Request<"queue.ack"> & { queue_seq: QueueSeq };
/** This one cannot be read. */
export type QueueReject = Request<"queue.reject"> & { queue_seq: QueueSeq; reason: string };
export type Ping = Request<"ping">;
/** Signing off on purpose. */
export type Bye = Request<"bye">;

export type ClientFrame =
  | Hello
  | Token
  | Resume
  | MessageSend
  | MessageEdit
  | MessageDelete
  | Typing
  | TypingStop
  | Read
  | Delivered
  | MarkUnread
  | PresenceWatch
  | PresenceSet
  | RoomEnter
  | RoomExit
  | EnvelopeSend
  | QueueOpen
  | QueueAck
  | QueueReject
  | Ping
  | Bye;

/** What one connection may do. */
export interface Limits {
  /** Of a client's frame. */
  frame_bytes: number;
  /** Of a message, in UTF-8. */
  body_bytes: number;
  /** Under way. */
  requests: number;
  /** In `welcome` and in one `resume`. */
  rooms: number;
}

/** A room of the account as `welcome` names it. */
export interface WelcomeRoom {
  room_id: RoomId;
  epoch: Epoch;
  seq: Seq;
  rev: Rev;
  read_seq: Seq;
  unread_from?: Seq;
  receipts: boolean;
}

export type Welcome = Answer<"welcome"> & {
  session_id: string;
  account_id: AccountId;
  device_id: DeviceId;
  node_id: string;
  server_time: Time;
  feature_level: number;
  limits: Limits;
  rooms: WelcomeRoom[];
  /** The account has more rooms; they come from `listRooms` and are live once named in a `resume`. */
  more_rooms?: true;
};

export type ResumedRoom = { room_id: RoomId; epoch: Epoch; rev: Rev; recovered: boolean } | { room_id: RoomId; gone: true };
export type Resumed = Answer<"resumed"> & { rooms: ResumedRoom[] };

/** The message is stored. */
export type SentAck = Answer<"message.ack"> & {
  room_id: RoomId;
  client_id: ClientId;
  local_id?: string;
  seq: Seq;
  rev: Rev;
  ts: Time;
  status: "sent";
  duplicate?: true;
};
/** Others have received, or read, the account's own messages up to this one. */
export type ReceiptAck = { type: "message.ack"; room_id: RoomId; seq: Seq; status: "delivered" | "read" };
/** An own message of a sealed room does not arrive at an account. */
export type FailedAck = { type: "message.ack"; room_id: RoomId; account_id: AccountId; seq: Seq; status: "failed"; reason: FailureReason };
export type MessageAck = SentAck | ReceiptAck | FailedAck;
/** What was sent to a sealed room is stored. */
export type EnvelopeAck = Answer<"envelope.ack"> & {
  room_id: RoomId;
  client_id: ClientId;
  local_id?: string;
  /** Absent: it is silent. */
  seq?: Seq;
  ts: Time;
  status: "sent";
  duplicate?: true;
  full?: FullDevice[];
};
/** `reset`: the position is none of this queue; envelopes come from `first`. */
export type QueueOpened = Answer<"queue.opened"> & {
  epoch: Epoch;
  first: number;
  last: QueueSeq;
  reset?: true;
  one_time_keys: number;
  fallback_used: boolean;
};
/** All came that there was when the queue was opened. */
export type QueueEmpty = { type: "queue.empty"; queue_seq: QueueSeq };
export type EnvelopeReceive = ReceivedEnvelope | GoneEnvelope;

export type Ok = Answer<"ok"> & { rev?: Rev; expires_in_s?: number };
export type Pong = Answer<"pong"> & { ts: Time };
export type ErrorFrame = Answer<"error"> & {
  code: ErrorCode;
  message: string;
  field?: string;
  retryable: boolean;
  retry_after_ms?: number;
  client_id?: ClientId;
  devices?: PresentDevice[];
};
export type Goodbye = {
  type: "goodbye";
  code: 1002 | 1007 | 1009 | 4000 | 4001 | 4002 | 4003 | 4004 | 4401 | 4409 | 4500 | 4501 | 4502 | 4503;
  reason: string;
  resume: boolean;
  reconnect_after_ms: number;
};
/** The server cannot replay: read history, then go on from this rev. */
export type RoomGap = { type: "room.gap"; room_id: RoomId; epoch: Epoch; rev: Rev };
/** A membership began; the room is live from its rev + 1. */
export type RoomAdded = { type: "room.added"; room: Room };
export type RoomRemoved = { type: "room.removed"; room_id: RoomId; reason: LeaveReason };
export type MemberTyping = { type: "typing"; room_id: RoomId; account_id: AccountId; until: Time };
export type MemberTypingStop = { type: "typing.stop"; room_id: RoomId; account_id: AccountId };
/** How far a member has come: the account itself, or in rooms with receipts somebody else. */
export type Marker = {
  type: "marker";
  room_id: RoomId;
  account_id: AccountId;
  /** Absent of somebody who reads in private. */
  read_seq?: Seq;
  delivered_seq?: Seq;
  /** In a sealed room: `delivered_seq` says something of messages from here on alone. */
  delivered_from?: Seq;
  /** Of the account itself: from here it wants to see messages as unread. */
  unread_from?: Seq;
};
/** `seq`: the last message that was looked at. */
export type Unread = { type: "unread"; room_id: RoomId; unread: number; mentions: number; total: number; seq: Seq };
export type RoomOnline = { room_id: RoomId; online: number };
export type PresenceState = Answer<"presence.state"> & { accounts: PresenceView[]; rooms: RoomOnline[] };
export type Presence = { type: "presence"; account_id: AccountId; status: Status; last_seen?: Time; text?: string };
export type PresenceCount = { type: "presence.count" } & RoomOnline;
export type SeatInsideFrame = Answer<"seat.inside"> & { room_id: RoomId; inside: number; capacity: number };
export type SeatWaitingFrame = Answer<"seat.waiting"> & {
  room_id: RoomId;
  position: number;
  ahead: number;
  waiting: number;
  /** Absent: nobody knows. */
  estimate_s?: number;
  place: string;
};
export type SeatOfferFrame = Answer<"seat.offer"> & { room_id: RoomId; until: Time };
export type SeatLost = { type: "seat.lost"; room_id: RoomId; reason: "left" | "expired" | "removed" };
export type InvitationFrame = { type: "invitation"; room_id: RoomId; name?: string; invited_by: AccountId };
export type InvitationEnded = { type: "invitation.ended"; room_id: RoomId };
export type AccountChanged = { type: "account.changed"; account_id: AccountId; display_name: string };
export type DevicesChanged = { type: "devices.changed"; account_id: AccountId; version: number };
/** Few one-time keys of this device are left. */
export type KeysLow = { type: "keys.low"; one_time_keys: number };

/** Types that a client does not know may come from newer servers, and are ignored. */
export type ServerFrame =
  | Welcome
  | Resumed
  | MessageAck
  | Ok
  | Pong
  | ErrorFrame
  | MessageReceive
  | RoomEvent
  | RoomGap
  | RoomAdded
  | RoomRemoved
  | MemberTyping
  | MemberTypingStop
  | Marker
  | Unread
  | PresenceState
  | Presence
  | PresenceCount
  | SeatInsideFrame
  | SeatWaitingFrame
  | SeatOfferFrame
  | SeatLost
  | InvitationFrame
  | InvitationEnded
  | AccountChanged
  | DevicesChanged
  | KeysLow
  | EnvelopeAck
  | QueueOpened
  | QueueEmpty
  | EnvelopeReceive
  | Goodbye;
