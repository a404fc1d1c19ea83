import type { Account, Message, MessageDeleted } from "../protocol/things.ts";
import type { AccountId, ClientId, DeviceId, RoomId, Seq } from "../protocol/values.ts";
import type { RoomPosition } from "../rules/output.ts";
import type { PendingEdit, PendingSend, RoomState } from "../model/views.ts";

/** Who is signed in on this machine. */
export interface KeptSession {
  account_id: AccountId;
  device_id: DeviceId;
  handle: string;
  /** Where it is in no cookie. */
  refresh_token?: string;
  /** Why the sign-in is over: it is shown, and what waits is kept for who signs in again. */
  ended?: string;
}

/** A sign-in that ended here without a server's knowledge. */
export interface KeptOwed {
  account_id: AccountId;
  device_id: DeviceId;
  /** Where it is in no cookie. */
  refresh_token?: string;
}

/** What is kept of a room besides its messages. */
export interface KeptRoom {
  room_id: RoomId;
  state?: RoomState;
  position?: RoomPosition;
  draft: string;
  /** Edits and deletions that are not settled. */
  edits?: readonly PendingEdit[];
  /** When it was opened last, by this machine's clock: what is let go of first was opened longest ago. */
  used_at: number;
  /** The messages that are kept: all from one seq to another. */
  log?: { from: Seq; to: Seq; has_older: boolean; bytes: number };
}

/** A send that is not settled; `order` is that in which they were made. */
export interface KeptSend extends PendingSend {
  order: number;
}

/** All that is kept but messages. */
export interface Kept {
  /** Which device this is, whoever signs in. */
  device_id?: DeviceId;
  session?: KeptSession;
  owed?: KeptOwed;
  /** Until when the rest was followed, by this machine's clock. */
  live_at?: number;
  rooms: KeptRoom[];
  sends: KeptSend[];
  people: Account[];
  /** What was kept besides is of somebody who signed out, and is still to be cleared. */
  disowned?: true;
}

/** What is written at once: all of it, or nothing. */
export interface Batch {
  device_id?: DeviceId;
  /** Undefined: nobody is signed in. */
  session?: KeptSession | undefined;
  /** Undefined: nothing is owed to a server. */
  owed?: KeptOwed | undefined;
  live_at?: number;
  /** Before all else, everything goes but the device, what is owed, who is signed in and what is not sent. */
  cleared?: true;
  rooms?: KeptRoom[];
  /** Rooms of which nothing is kept any more. */
  forgotten?: RoomId[];
  /** Rooms whose messages below a seq go. */
  cut?: { room_id: RoomId; below: Seq }[];
  messages?: Message[];
  /** Messages that were edited: they take the place of older copies, where these are kept. */
  edits?: Message[];
  /** Messages that become tombstones, where they are kept. */
  deletions?: MessageDeleted[];
  sends?: KeptSend[];
  settled?: ClientId[];
  people?: Account[];
}

/** Whether somebody signs in with it. */
export function ownsAnew({ session }: Batch): boolean {
  return session !== undefined && session.ended === undefined;
}

/**
 * What a client keeps on its machine across runs: where it stands, what it showed, and what it has not sent.
 * One client writes at a time; any number may read.
 */
export interface Store {
  load(): Promise<Kept>;
  /** The kept messages of a room, oldest first. */
  messages(room_id: RoomId): Promise<Message[]>;
  /** Fails with `ConfabError` `not_kept` where nothing was written. */
  write(batch: Batch): Promise<void>;
  /**
   * What is kept of the account is nobody's from here on, whatever becomes of the page in the next moment; `clear` is to
   * follow. Done when it returns. Who signs in next owns what is written from then on.
   */
  disown(): void;
  /** Forgets all but the device, and what is owed to a server. */
  clear(): Promise<void>;
  close(): void;
}


/** Keeps nothing, beyond what the client has in mind. */
export const NO_STORE: Store = {
  load: async () => ({ rooms: [], sends: [], people: [] }),
  messages: async () => [],
  write: async () => undefined,
  disown: () => undefined,
  clear: async () => undefined,
  close: () => undefined,
};
