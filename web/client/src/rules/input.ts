import type { ErrorInfo } from "../model/views.ts";
import type { ServerFrame } from "../protocol/frames.ts";
import type { EventPage, HistoryPage } from "../protocol/things.ts";
import type { RoomId, Seq } from "../protocol/values.ts";
import type { EventsAsk, HistoryAsk, Outgoing, RoomPosition } from "./output.ts";

/** Something that happens to a client: a call of its program, of its socket, an answer, or time. */
export type Input =
  /** The program asks to connect, or to try at once. */
  | { kind: "connect" }
  /** The program signs off. */
  | { kind: "close" }
  /** The machine slept, or its network changed: the connection may be dead. */
  | { kind: "probe" }
  | { kind: "send"; message: Outgoing }
  /** The program gives up a send: it is not tried again. */
  | { kind: "discard"; client_id: string }
  /** The person has read up to here. */
  | { kind: "read"; room_id: RoomId; seq: Seq }
  /** The person wants to see messages there as unread. */
  | { kind: "unread"; room_id: RoomId }
  /** The person types a key there. */
  | { kind: "typing"; room_id: RoomId }
  | { kind: "typing_stop" }
  /** The person wants to be inside a room with a capacity, as soon as there is room. */
  | { kind: "enter"; room_id: RoomId }
  | { kind: "exit"; room_id: RoomId }
  | { kind: "opened" }
  | { kind: "unopened" }
  /** `code` of the close frame; 1006 where there was none. */
  | { kind: "closed"; code: number }
  | { kind: "frame"; frame: ServerFrame }
  | { kind: "token_renewed" }
  /** The sign-in is over, or there is none. */
  | { kind: "token_refused" }
  | { kind: "token_unavailable" }
  | { kind: "history"; ask: HistoryAsk; page: HistoryPage }
  | { kind: "events"; ask: EventsAsk; page: EventPage }
  | { kind: "read_failed"; ask: HistoryAsk | EventsAsk; error: ErrorInfo }
  | { kind: "rooms"; rooms: readonly (RoomPosition & { receipts?: boolean })[] }
  | { kind: "rooms_failed"; error?: ErrorInfo }
  /** Time has passed. */
  | { kind: "tick" };
