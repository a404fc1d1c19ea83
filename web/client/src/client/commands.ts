import type { AccountId, ClientId, OwnStatus, RoomId, Seq } from "../protocol/values.ts";
import type { HistoryPage, Account, Me } from "../protocol/things.ts";
import type { PendingEdit } from "../model/views.ts";
import type { Outgoing } from "../rules/output.ts";
import type { KeptOwed, KeptSession } from "../store/store.ts";

/** What a tab asks of the one that has the connection. Plain data; each may be asked twice without harm. */
export type Command =
  /** Connect, whatever the state. */
  | { kind: "connect" }
  /** Something suggests that a waiting connection would work now, or that a live one is dead. */
  | { kind: "wake" }
  | { kind: "send"; message: Outgoing; made_at: number }
  | { kind: "retry"; room_id: RoomId; client_id: ClientId }
  | { kind: "discard"; room_id: RoomId; client_id: ClientId }
  | { kind: "edit"; edit: PendingEdit }
  | { kind: "read"; room_id: RoomId; seq: Seq }
  | { kind: "mark_unread"; room_id: RoomId; seq: Seq }
  | { kind: "typing"; room_id: RoomId }
  | { kind: "stop_typing" }
  | { kind: "enter"; room_id: RoomId }
  | { kind: "exit"; room_id: RoomId }
  /** All that this tab watches. */
  | { kind: "watch"; tab: string; accounts: readonly AccountId[]; rooms: readonly RoomId[] }
  | { kind: "presence"; tab: string; status: OwnStatus; text?: string }
  | { kind: "draft"; room_id: RoomId; text: string; by: string }
  /** A page that this tab has read. */
  | { kind: "page"; room_id: RoomId; page: Pick<HistoryPage, "messages" | "has_older" | "has_newer"> }
  | { kind: "people"; accounts: readonly Account[] }
  /** The account's own settings, as a server answered them to this tab. */
  | { kind: "me"; me: Me }
  /** This tab has signed in. */
  | { kind: "signed_in"; session: KeptSession }
  /** The person signed out: nothing of the account is kept. `owed`: no server knows of it. */
  | { kind: "signed_out"; owed?: KeptOwed }
  /** Before somebody signs in: what is owed to a server is tried once. */
  | { kind: "settle" }
  /** A server said that the sign-in is over. */
  | { kind: "sign_in_over"; why: string };
