import type { ConfabApi } from "../http/api.ts";
import type { Input } from "../http/operations.ts";
import type { Observable } from "../model/observable.ts";
import type {
  Connection,
  MemberMarker,
  PendingEdit,
  PendingSend,
  Receipts,
  RoomLog,
  RoomState,
  RoomUpdate,
  Session,
} from "../model/views.ts";
import type { Account, HistoryPage, Invitation, Me, Member, PresenceView } from "../protocol/things.ts";
import type { AccountId, ClientId, OwnStatus, RoomId, Seq } from "../protocol/values.ts";

/** From where a page of history is read; positions are exclusive. None of them: the newest page. */
export interface HistoryQuery {
  before?: Seq;
  after?: Seq;
  around?: Seq;
  anchor?: "newest" | "oldest" | "first_unread";
  /** At most 200; 50 unless said. */
  limit?: number;
}

/** A page of history, and whether it is of this machine's cache because no server could be asked. */
export type Page = HistoryPage & { cached?: true };

/**
 * An account's conversations, as one tab or one program sees and does them. What it shows comes from
 * observables; what it does takes effect there at once, and on the server as soon as it can.
 *
 * Promises of calls that ask the server fail with {@link ConfabError}.
 */
export interface Client {
  /** The server's HTTP calls in the account's name. */
  readonly api: ConfabApi;

  readonly session: Observable<Session>;
  readonly connection: Observable<Connection>;
  /** The account's own settings; undefined until they are read. */
  readonly me: Observable<Me | undefined>;
  /** All rooms of the account by id, in no order. A new map whenever a room in it changed. */
  readonly rooms: Observable<ReadonlyMap<RoomId, RoomState>>;
  /** Whether `rooms` is whole: read from the server, or from the cache of an earlier run. */
  readonly listed: Observable<boolean>;
  /** Who asks the account to join. */
  readonly invitations: Observable<readonly Invitation[]>;
  /** Names that are known, by id. */
  readonly people: Observable<ReadonlyMap<AccountId, Account>>;
  /** How those who are watched are seen. */
  readonly presence: Observable<ReadonlyMap<AccountId, PresenceView>>;
  /** How many are there in rooms that are watched. */
  readonly online: Observable<ReadonlyMap<RoomId, number>>;
  /** The account's devices have changed: another number. */
  readonly devices_version: Observable<number>;

  /** Makes an account; signing in is another call. */
  signUp(handle: string, password: string, display_name?: string): Promise<Account>;
  /** Changes the account's own settings; they are in `me` when it is done. */
  changeMe(body: Input<"changeMe">["body"]): Promise<void>;
  /** Signs in, for all tabs of the profile, and connects. */
  signIn(handle: string, password: string): Promise<void>;
  /**
   * Signs this device out, in all tabs, and forgets on this machine what belongs to the account. Where no
   * server can be reached for 15 s it fails and nothing has changed, unless `anyway`: then the sign-in is
   * ended on the server as soon as one can be reached.
   */
  signOut(anyway?: boolean): Promise<void>;
  /** Connects, at once where it was waiting: for "try now", and for a client that was displaced. */
  connect(): void;
  /** Ends this tab's part, or this program's; what waits is kept by the store. */
  close(): Promise<void>;

  /** A room; it need not be one of the account's. The same object each time while somebody uses it. */
  room(room_id: RoomId): RoomView;

  /** Its name; asked for, and then in `people`, where it is not known. */
  person(account_id: AccountId): Account | undefined;

  /**
   * Watches presence, in addition to what else is watched, until the answer is called. All tabs together
   * watch 1,000 accounts and 100 rooms at most; what is beyond is not watched.
   */
  watch(who: { accounts?: readonly AccountId[]; rooms?: readonly RoomId[] }): () => void;
  /** What others see of this session. @param text absent: as before; empty: none; it fails without a connection */
  setPresence(status: OwnStatus, text?: string): Promise<void>;
  /** The person types no longer, wherever it was; others would see that after 5 s. */
  stopTyping(): void;
  /** Sends a failed message again, with the same `client_id`. */
  retry(client_id: ClientId): void;
  /** Forgets a failed message, or one that waits: what was sent of it may be stored all the same. */
  discard(client_id: ClientId): void;
}

/** One room, as a client sees it. */
export interface RoomView {
  readonly room_id: RoomId;
  /** Undefined where the account is not in the room, or its rooms are not listed yet. */
  readonly state: Observable<RoomState | undefined>;
  /** The newest messages that are known; empty until a page was read or messages came. */
  readonly log: Observable<RoomLog>;
  /** In the order in which they were made: below all others in the log. */
  readonly pending: Observable<readonly PendingSend[]>;
  /** Edits and deletions that are not settled yet. */
  readonly edits: Observable<ReadonlyMap<Seq, PendingEdit>>;
  /** How far others have come with one's own messages; in rooms with receipts. */
  readonly receipts: Observable<Receipts>;
  /** How far others have come, by account; in rooms with receipts, since they were told. */
  readonly markers: Observable<ReadonlyMap<AccountId, MemberMarker>>;
  /** Undefined until `loadMembers`; kept up to date from then on. */
  readonly members: Observable<ReadonlyMap<AccountId, Member> | undefined>;

  /** Calls with each update from now on; the observables have it already. @returns what ends it */
  updates(listener: (update: RoomUpdate) => void): () => void;

  /**
   * Reads a page. Edits and deletions that were told meanwhile are in it, and later updates follow it
   * without a hole, if the caller takes it as soon as the promise is done. Without a server it is of the
   * cache (`cached`), where that has something.
   */
  history(query?: HistoryQuery): Promise<Page>;
  /** Reads the members, once; again where they have changed in numbers. */
  loadMembers(): Promise<ReadonlyMap<AccountId, Member>>;

  /**
   * Sends a message; it is in `pending` when this returns, and it is kept until it is stored or refused.
   * Messages to one room keep their order.
   */
  send(body: string, more?: { reply_to?: Seq; topic?: string }): PendingSend;
  /** Edits a message of one's own; in `edits` until it is settled. */
  edit(seq: Seq, body: string): Promise<void>;
  /** Deletes a message; one that is deleted already is done. */
  delete(seq: Seq): Promise<void>;
  /** Everything up to this message was read. Told at most once a second; the counts follow at once. */
  read(seq: Seq): void;
  /** This message and what follows is to be seen as unread. */
  markUnread(seq: Seq): Promise<void>;
  /** The person types here; to be called at each key. A message sent here ends it. */
  typing(): void;
  /** Enters a room with a capacity, or joins its line: `state` says in `seat` how the account stands, and who waits gets in by itself. */
  enter(): void;
  /** Gives up seat or place. */
  exit(): void;
  /** Keeps what was written and not sent; empty: nothing. Other tabs see it. */
  setDraft(text: string): void;

  /** Whoever asked for this view uses it no more: of the room stays what a list of rooms needs. */
  release(): void;
}
