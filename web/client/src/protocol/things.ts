import type {
  AccountId,
  ClientId,
  DeviceId,
  Epoch,
  ErrorCode,
  FailureReason,
  History,
  InvitesFrom,
  LeaveReason,
  MessageType,
  QueueSeq,
  Rev,
  Role,
  RoomId,
  Seq,
  ServerRole,
  Status,
  Suite,
  Time,
  VisibleTo,
} from "./values.ts";

/** A person or a bot. */
export interface Account {
  account_id: AccountId;
  /** In lower case, unique. */
  handle: string;
  display_name: string;
}

/** The account that asks, with its settings. */
export interface Me extends Account {
  invites_from: InvitesFrom;
  presence_visible_to: VisibleTo;
  last_seen_visible_to: VisibleTo;
  private_reading: boolean;
}

/** An account as server admins see it. */
export interface AccountState extends Account {
  role: ServerRole;
  suspended: boolean;
}

/** One browser profile, one phone, one terminal client. */
export interface Device {
  device_id: DeviceId;
  name: string;
  platform: string;
  /** Whether it is the one that asks. */
  current: boolean;
  created_at: Time;
  last_seen_at: Time;
  /** A backend signed it in. */
  issued_by?: "api_key";
  /** It is signed out, and has keys. */
  signed_out_at?: Time;
  /** Of a device with keys; never used again. */
  registration_id?: number;
  suite?: Suite;
}

/** A key as its device names it; opaque. */
export interface DeviceKey {
  id: string;
  key: string;
}

/** What an account shows of its devices with keys. */
export interface AccountKeys {
  account_id: AccountId;
  /** Rises whenever its devices, or what they show, change. */
  version: number;
  identity?: string;
  devices: { device_id: DeviceId; registration_id: number; suite: Suite; identity: string }[];
}

/** What became of a device of which a key was asked for: without `key` it has none. */
export interface ClaimedKey {
  account_id: AccountId;
  device_id: DeviceId;
  id?: string;
  key?: string;
  /** Others have the same. */
  fallback?: boolean;
  /** It was asked for too often. */
  error?: "rate_limited";
}

/** What a client says of its device. */
export interface DeviceInfo {
  device_id?: DeviceId;
  name: string;
  platform: string;
}

interface RoomHead {
  room_id: RoomId;
  /** The caller's; absent for one who is not a member. */
  role?: Role;
  history: History;
  /** Seconds between two messages of a member; absent: none. */
  slow_mode_s?: number;
  /** Absent: as many as like. */
  max_members?: number;
  /** How many may be inside at once; absent: there is no inside. */
  capacity?: number;
  /** Whether members may read from outside; absent as the capacity. */
  read_outside?: boolean;
  member_count: number;
  /** Whether members see how far others have received and read. */
  receipts: boolean;
  /** Absent: the room is not sealed. */
  encryption?: Encryption;
  /** For how long what is said in a sealed room lasts; absent: as long as anything. */
  expires_in_s?: number;
  archived_at?: Time;
  epoch: Epoch;
  /** The last message. */
  seq: Seq;
  /** The last change. */
  rev: Rev;
}

/** What only the devices of its members can read. */
export interface Encryption {
  suite: string;
  /** The first number under which nothing plain stands. */
  from_seq: Seq;
  from_rev: Rev;
}

/** Two people's; it exists once. */
export interface DirectRoom extends RoomHead {
  type: "direct";
  /** The other one. */
  peer_id: AccountId;
}

export interface NamedRoom extends RoomHead {
  type: "group" | "channel";
  name: string;
  description?: string;
}

/** Where messages are, as one of its members, or for a channel anybody, sees it. */
export type Room = DirectRoom | NamedRoom;

/** A room of the account with what it has not read there. */
export type ListedRoom = Room & {
  read_seq: Seq;
  /** From where the account wants to see messages as unread. */
  unread_from?: Seq;
  unread: number;
  /** Those of the unread messages that mention the account. */
  mentions: number;
  last_message?: Message;
};

/** The account has a seat in a room with a capacity. */
export interface SeatInside {
  type: "seat.inside";
  room_id: RoomId;
  inside: number;
  capacity: number;
}

/** It has a place in the line before the room. */
export interface SeatWaiting {
  type: "seat.waiting";
  room_id: RoomId;
  position: number;
  ahead: number;
  waiting: number;
  /** Absent: nobody knows. */
  estimate_s?: number;
  /** Named by who enters again. */
  place?: string;
}

/** A seat is kept for it: who enters takes it up. */
export interface SeatOffer {
  type: "seat.offer";
  room_id: RoomId;
  until: Time;
}

export type SeatState = SeatInside | SeatWaiting | SeatOffer;

export interface Seats {
  inside: number;
  capacity: number;
  waiting: number;
  /** Who is inside; told to those inside, and to owners and admins. */
  accounts?: AccountId[];
  /** Who waits, the first first; told to owners and admins. */
  waiting_list?: AccountId[];
}

/** What owners and admins change. */
export interface RoomSettings {
  name?: string;
  /** Empty: none. */
  description?: string;
  history?: History;
  /** 0: none. */
  slow_mode_s?: number;
  /** 0: as many as like. */
  max_members?: number;
  /** How many may be inside at once; 0: there is no inside. */
  capacity?: number;
  read_outside?: boolean;
}

/** The settings that change in a room; `encryption` seals it, for ever. */
export interface RoomChanges extends RoomSettings {
  encryption?: { suite: Suite };
  /** 0: as long as anything. */
  expires_in_s?: number;
}

/** The settings that have changed in a room. */
export interface ChangedSettings extends RoomSettings {
  encryption?: Encryption;
  expires_in_s?: number;
}

interface MessageHead {
  room_id: RoomId;
  seq: Seq;
  /** Of its sending. */
  rev: Rev;
  /** Of its last edit or deletion. The higher one of two copies is the newer. */
  changed_rev?: Rev;
  sender_id: AccountId;
  client_id: ClientId;
  msg_type: MessageType;
  /** A message of the room. */
  reply_to?: Seq;
  topic?: string;
  /** Ids of accounts, `@all` or `@online`; absent where it mentions nobody. */
  mentions?: string[];
  ts: Time;
  edited_at?: Time;
}

export interface StandingMessage extends MessageHead {
  body: string;
}

/** What is left of a deleted message. */
export interface Tombstone extends MessageHead {
  changed_rev: Rev;
  deleted_at: Time;
  deleted_by: AccountId;
}

/** What is said in a room; its identity is room and seq. */
export type Message = StandingMessage | Tombstone;

/** Whether a message was deleted. */
export function isTombstone(message: Message): message is Tombstone {
  return "deleted_at" in message;
}

/** Messages of a room, oldest first. */
export interface HistoryPage {
  messages: Message[];
  has_older: boolean;
  has_newer: boolean;
  epoch: Epoch;
  /** The last message of the room. */
  seq: Seq;
  /** Read before the page: all changes up to it are in the page. */
  rev: Rev;
}

interface Numbered {
  type: "room.event";
  room_id: RoomId;
  rev: Rev;
  epoch: Epoch;
}

interface Acted extends Numbered {
  actor_id: AccountId;
  ts: Time;
}

export type MessageEdited = Acted & { kind: "message.edited"; message: Message };
export type MessageDeleted = Acted & { kind: "message.deleted"; seq: Seq; deleted_by: AccountId };
export type MemberJoined = Acted & { kind: "member.joined"; account_id: AccountId; receipts?: false };
export type MemberLeft = Acted & { kind: "member.left"; account_id: AccountId; reason: LeaveReason; receipts?: true };
/** Joins and leaves told as one, from `rev_from` on. */
export type MembersChanged = Acted & { kind: "members"; rev_from: Rev; joined: number; left: number };
export type MemberRole = Acted & { kind: "member.role"; account_id: AccountId; role: Role };
/** Without `until`: may speak again. */
export type MemberMuted = Acted & { kind: "member.muted"; account_id: AccountId; until?: Time };
export type RoomChanged = Acted & { kind: "room.changed"; settings: ChangedSettings };
export type RoomArchived = Acted & { kind: "room.archived" };
/** A message was sent that devices get by their queues. */
export type Sealed = Acted & { kind: "sealed"; seq: Seq };
/** In place of an event that this account may not see. */
export type Hidden = Numbered & { kind: "hidden" };

/** Any numbered change of a room that is not a new message. Other kinds may come from newer servers. */
export type RoomEvent =
  | MessageEdited
  | MessageDeleted
  | MemberJoined
  | MemberLeft
  | MembersChanged
  | MemberRole
  | MemberMuted
  | RoomChanged
  | RoomArchived
  | Sealed
  | Hidden;

/** A message in a room of the account. */
export type MessageReceive = Message & { type: "message.receive"; epoch: Epoch };

/** What happened in a room after a rev. */
export interface EventPage {
  epoch: Epoch;
  /** False: the position is of another epoch or ahead of the room. */
  recovered: boolean;
  events: (MessageReceive | RoomEvent)[];
  /** Where the room stands. */
  rev: Rev;
  has_more: boolean;
}

/** A device as a send to a sealed room names it. */
export interface PresentDevice {
  account_id: AccountId;
  device_id: DeviceId;
  registration_id: number;
}

/** What is for one device alone. */
export interface EnvelopeBody extends PresentDevice {
  body: string;
}

/** A device whose queue took nothing. */
export interface FullDevice {
  account_id: AccountId;
  device_id: DeviceId;
}

export interface EnvelopeSent {
  /** Absent: it has none. */
  room_id?: RoomId;
  client_id: ClientId;
  /** Absent: it is silent. */
  seq?: Seq;
  ts: Time;
  status: "sent";
  duplicate: boolean;
  full?: FullDevice[];
}

/** What came of own messages at one account. */
export interface AccountDeliveries {
  account_id: AccountId;
  /** Runs of them, the first and the last of each. */
  delivered: Seq[][];
  read_seq?: Seq;
  failed: { seq: Seq; reason: FailureReason }[];
}

export interface ReceivedEnvelope {
  type: "envelope.receive";
  queue_seq: QueueSeq;
  epoch: Epoch;
  /** Absent: it is of no room. */
  room_id?: RoomId;
  /** Absent: it is silent. */
  seq?: Seq;
  sender_id: AccountId;
  sender_device_id: DeviceId;
  client_id: ClientId;
  ts: Time;
  /** For this device alone. */
  body?: string;
  /** For all devices. */
  payload?: string;
  expires_at?: Time;
}

/** The number of one that has lost what it held. */
export interface GoneEnvelope {
  type: "envelope.receive";
  queue_seq: QueueSeq;
  epoch: Epoch;
  gone: true;
}

/** What waits for a device. */
export interface QueuePage {
  epoch: Epoch;
  envelopes: (ReceivedEnvelope | GoneEnvelope)[];
  /** Up to where there is something. */
  last: QueueSeq;
  has_more: boolean;
}

export interface Member extends Account {
  role: Role;
  joined_at: Time;
  /** Absent for one who may speak. */
  muted_until?: Time;
}

export interface Channel {
  room_id: RoomId;
  name: string;
  description?: string;
  member_count: number;
}

export interface Ban {
  account_id: AccountId;
  banned_by: AccountId;
  reason?: string;
  banned_at: Time;
}

/** A link by which people join, without its code. */
export interface Invite {
  invite_id: string;
  made_by: AccountId;
  made_at: Time;
  expires_at?: Time;
  max_uses?: number;
  uses: number;
}

/** Somebody asks the account to join a room. */
export interface Invitation {
  room_id: RoomId;
  name?: string;
  member_count: number;
  invited_by: AccountId;
  ts: Time;
}

export interface AuditEntry {
  entry_id: string;
  action:
    | "member.added"
    | "member.removed"
    | "member.banned"
    | "member.unbanned"
    | "member.muted"
    | "member.unmuted"
    | "member.role"
    | "owner.changed"
    | "room.changed"
    | "room.archived"
    | "invite.made"
    | "invite.deleted"
    | "message.deleted"
    | "seat.let_in"
    | "seat.removed";
  actor_id: AccountId;
  /** To whom. */
  account_id?: AccountId;
  ts: Time;
  data?: { role?: Role; reason?: string; until?: Time; settings?: ChangedSettings; invite_id?: string; seq?: Seq };
}

/** What an account had to say at a time, and from when on. */
export interface MessageVersion {
  body: string;
  ts: Time;
}

/** How an account is seen. */
export interface PresenceView {
  account_id: AccountId;
  status: Status;
  /** Of one who is offline and lets it be known. */
  last_seen?: Time;
  text?: string;
}

/** The answer to a sign-in. */
export interface Tokens {
  access_token: string;
  /** Absent where it is in a cookie that scripts cannot read. */
  refresh_token?: string;
  /** Life of the access token. */
  expires_in_s: number;
  account_id: AccountId;
  device_id: DeviceId;
}

/** Why a call was refused, as the server writes it. */
export interface RefusalReason {
  code: ErrorCode;
  message: string;
  field?: string;
  retryable: boolean;
  retry_after_ms?: number;
  /** With `device_mismatch`: all that the room has. */
  devices?: PresentDevice[];
  request_id: string;
}
