/** Opaque, at most 64 characters. */
export type AccountId = string;
/** Opaque, at most 64 characters. */
export type RoomId = string;
/** Opaque, at most 64 characters; the client's choice where it signs in with one. */
export type DeviceId = string;
/** 1 to 64 printable ASCII characters, with at least 64 random bits: a retry of a send or an edit has the same. */
export type ClientId = string;
/** Number of a message in its room: 1, 2, 3 … without holes; 0 before the first. */
export type Seq = number;
/** Number of a change in a room, messages included: 1, 2, 3 … without holes; 0 before the first. */
export type Rev = number;
/** Incarnation of the database: where it differs, all numbers known before are void. */
export type Epoch = number;
/** Milliseconds since 1970, by the server's clock. */
export type Time = number;

export type Role = "owner" | "admin" | "member";
export type RoomType = "direct" | "group" | "channel";
/** What a new member sees of what was sent before. */
export type History = "all" | "since_join";
export type LeaveReason = "left" | "removed" | "banned" | "account_removed";
export type ServerRole = "user" | "admin" | "bot";
export type VisibleTo = "everyone" | "shared_rooms" | "nobody";
export type InvitesFrom = "everyone" | "shared_rooms" | "nobody";
export type Status = "offline" | "away" | "online";
/** What a session says of itself; it is offline when it is not there. */
export type OwnStatus = "away" | "online";
export type MessageType = "text";
/** How devices encrypt. */
export type Suite = "olm1";
/** Number of an envelope in the queue of its device: 1, 2, 3 … without holes; 0 before the first. */
export type QueueSeq = number;
/** Why a message of a sealed room does not arrive at somebody. */
export type FailureReason = "full" | "expired" | "removed" | "undecryptable";

/** The server's catalogue; `docs/protocol.md` says what each means. Others may come from newer servers. */
export type ErrorCode =
  | "invalid_json"
  | "invalid_field"
  | "unknown_type"
  | "too_large"
  | "unauthorized"
  | "token_expired"
  | "forbidden"
  | "muted"
  | "banned"
  | "blocked"
  | "room_full"
  | "no_seat"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "idempotency_mismatch"
  | "device_mismatch"
  | "encrypted"
  | "gone"
  | "precondition_failed"
  | "unsupported_media_type"
  | "slow_mode"
  | "rate_limited"
  | "unavailable"
  | "internal";
