import type { RoomOnline } from "../protocol/frames.ts";
import type { Account, HistoryPage, Invitation, ListedRoom, Me, PresenceView, Room } from "../protocol/things.ts";
import type { AccountId, ClientId, LeaveReason, RoomId, Seq } from "../protocol/values.ts";
import type { RoomPosition, Signal, Stored, Update } from "../rules/output.ts";
import type { Connection, PendingEdit, PendingSend, Session } from "./views.ts";

/**
 * Something that makes the model another one. All tabs apply the same changes in the same order; they are
 * plain data, and applying one twice does no harm.
 */
export type Change =
  | { kind: "session"; session: Session }
  | { kind: "connection"; connection: Connection }
  | { kind: "me"; me: Me }
  /** All rooms of the account, as the server lists them. */
  | { kind: "listed"; rooms: readonly ListedRoom[] }
  /** A membership began, or a room is told anew. */
  | { kind: "room"; room: Room }
  | { kind: "removed"; room_id: RoomId; reason: LeaveReason | "gone" }
  | { kind: "positions"; positions: readonly RoomPosition[] }
  | { kind: "update"; update: Update }
  /** A page that reaches to the newest message, or joins what is known. */
  | { kind: "page"; room_id: RoomId; page: Pick<HistoryPage, "messages" | "has_older" | "has_newer"> }
  | { kind: "signal"; signal: Signal }
  /** The account has read up to here, on this machine. */
  | { kind: "read"; room_id: RoomId; seq: Seq }
  | { kind: "pending"; send: PendingSend }
  /** A send has its place. */
  | { kind: "stored"; stored: Stored }
  | { kind: "discarded"; room_id: RoomId; client_id: ClientId }
  | { kind: "editing"; edit: PendingEdit }
  /** An edit or deletion is settled, in whatever way. */
  | { kind: "edit_settled"; edit: PendingEdit }
  /** `by`: the tab that wrote it, and has it already. */
  | { kind: "draft"; room_id: RoomId; text: string; by?: string }
  /** `whole`: who is not named is not seen. */
  | { kind: "presence"; accounts: readonly PresenceView[]; rooms: readonly RoomOnline[]; whole?: true }
  | { kind: "invitations"; invitations: readonly Invitation[] }
  | { kind: "people"; accounts: readonly Account[] }
  | { kind: "renamed"; account_id: AccountId; display_name: string }
  | { kind: "devices"; version: number }
  /** Nothing is left of the account; `unsent`: but what was written and not sent. */
  | { kind: "cleared"; unsent?: true };
