import type {
  Account,
  AccountDeliveries,
  AccountKeys,
  AccountState,
  AuditEntry,
  Ban,
  Channel,
  ClaimedKey,
  Device,
  DeviceInfo,
  DeviceKey,
  EnvelopeBody,
  EnvelopeSent,
  EventPage,
  HistoryPage,
  Invitation,
  Invite,
  ListedRoom,
  Me,
  Member,
  Message,
  MessageVersion,
  PresenceView,
  QueuePage,
  Room,
  RoomChanges,
  SeatState,
  Seats,
  Tokens,
} from "../protocol/things.ts";
import type {
  AccountId,
  ClientId,
  DeviceId,
  Epoch,
  ErrorCode,
  History,
  InvitesFrom,
  MessageType,
  OwnStatus,
  QueueSeq,
  Rev,
  Role,
  RoomId,
  RoomType,
  Seq,
  Suite,
  Time,
  VisibleTo,
} from "../protocol/values.ts";

/** One page of a list; `after` is the `next` of the page before, `limit` at most 200. */
interface Paged {
  after?: string;
  limit?: number;
}

interface InRoom {
  room_id: RoomId;
}

interface OfAccount {
  account_id: AccountId;
}

interface OfMessage extends InRoom {
  seq: Seq;
}

interface Content {
  client_id: ClientId;
  body: string;
}

/** Why one of the things that a call names was refused. */
interface Objection {
  error?: { code: ErrorCode; message: string; field?: string };
}

/**
 * The server's HTTP calls by the names of `docs/openapi.yaml`: what goes into the path and the query
 * stands beside `body`, which is the JSON sent.
 */
export interface Operations {
  signUp: { input: { body: { handle: string; password: string; display_name?: string } }; answer: Account };
  findAccounts: { input: { ids?: string; handle?: string }; answer: { accounts: Account[] } };
  signIn: {
    input: { body: { handle: string; password: string; device?: DeviceInfo; cookie?: boolean } };
    answer: Tokens;
  };
  signOut: { input: object; answer: void };
  refreshTokens: { input: { body: { refresh_token?: string } }; answer: Tokens };
  issueTicket: { input: object; answer: { ticket: string; expires_in_s: number } };
  readMe: { input: object; answer: Me };
  changeMe: {
    input: {
      body: {
        display_name?: string;
        invites_from?: InvitesFrom;
        presence_visible_to?: VisibleTo;
        last_seen_visible_to?: VisibleTo;
        private_reading?: boolean;
      };
    };
    answer: Me;
  };
  removeMe: { input: { body: { password: string } }; answer: void };
  changePassword: { input: { body: { old: string; new: string } }; answer: void };
  listDevices: { input: Paged; answer: { devices: Device[]; next?: string } };
  renameDevice: { input: { device_id: DeviceId; body: { name: string } }; answer: Device };
  removeDevice: { input: { device_id: DeviceId }; answer: void };
  uploadKeys: {
    input: { body: { suite: Suite; identity?: string; fallback_key?: DeviceKey; one_time_keys?: DeviceKey[] } };
    answer: { registration_id: number; one_time_keys: number };
  };
  changeIdentity: {
    input: { body: { identity?: string; devices?: Record<DeviceId, string> } };
    answer: { version: number };
  };
  readVault: { input: object; answer: { vault?: string } };
  keepVault: { input: { body: { vault: string } }; answer: { vault?: string } };
  /** `rest`: who did not fit in the answer. */
  queryKeys: { input: { body: { accounts: AccountId[] } }; answer: { accounts: AccountKeys[]; rest?: AccountId[] } };
  claimKeys: {
    input: { body: { devices: { account_id: AccountId; device_id: DeviceId }[] } };
    answer: { keys: ClaimedKey[] };
  };
  /** Silent, of no room. */
  sendEnvelopes: { input: { body: { client_id: ClientId; envelopes: EnvelopeBody[] } }; answer: EnvelopeSent };
  readQueue: { input: { after?: QueueSeq; limit?: number }; answer: QueuePage };
  ackQueue: { input: { body: { queue_seq: QueueSeq; epoch?: Epoch } }; answer: void };
  rejectEnvelope: { input: { body: { queue_seq: QueueSeq; reason: string; epoch?: Epoch } }; answer: void };
  listBlocks: { input: Paged; answer: { blocks: OfAccount[]; next?: string } };
  block: { input: OfAccount; answer: OfAccount };
  unblock: { input: OfAccount; answer: void };
  /** `accounts`: at most 400 ids with commas between them. */
  readPresence: { input: { accounts: string }; answer: { accounts: PresenceView[] } };
  setPresence: { input: { body: { status: OwnStatus; text?: string } }; answer: void };
  listAccounts: { input: Paged; answer: { accounts: AccountState[]; next?: string } };
  createAccounts: {
    input: { body: { accounts: { handle: string; display_name?: string; password?: string; role?: string }[] } };
    /** In the order in which they were named. */
    answer: { accounts: (Partial<OfAccount> & Objection)[] };
  };
  readAccount: { input: OfAccount; answer: AccountState };
  removeAccount: { input: OfAccount; answer: void };
  suspendAccount: { input: OfAccount; answer: AccountState };
  restoreAccount: { input: OfAccount; answer: AccountState };
  listRooms: { input: Paged; answer: { rooms: ListedRoom[]; next?: string } };
  createRoom: {
    input: {
      body:
        | { type: "direct"; members: AccountId[] }
        | {
            type: Exclude<RoomType, "direct">;
            name: string;
            description?: string;
            history?: History;
            slow_mode_s?: number;
            max_members?: number;
            capacity?: number;
            read_outside?: boolean;
            members?: AccountId[];
          };
    };
    /** `invited`: who is asked first. */
    answer: Room & { invited?: AccountId[] };
  };
  getRoom: { input: InRoom; answer: Room };
  changeRoom: { input: InRoom & { body: RoomChanges }; answer: Room };
  archiveRoom: { input: InRoom; answer: void };
  findChannels: { input: { query?: string } & Paged; answer: { channels: Channel[]; next?: string } };
  listMembers: { input: InRoom & Paged; answer: { members: Member[]; next?: string } };
  addMembers: {
    input: InRoom & { body: { accounts: AccountId[] } };
    /** In the order in which they were named; `invited`: who is asked first. */
    answer: { members: (OfAccount & Objection)[]; invited?: AccountId[] };
  };
  putMember: {
    input: InRoom & OfAccount & { body: { role?: Role } };
    /** `invited`: the account is asked first. */
    answer: Member | { account_id: AccountId; invited: true };
  };
  /** `account_id`: `me` leaves. */
  removeMember: { input: InRoom & OfAccount; answer: void };
  join: { input: InRoom; answer: Room };
  listBans: { input: InRoom & Paged; answer: { bans: Ban[]; next?: string } };
  ban: { input: InRoom & OfAccount & { body: { reason?: string } }; answer: Ban };
  unban: { input: InRoom & OfAccount; answer: void };
  mute: { input: InRoom & OfAccount & { body: { until: Time } }; answer: Member };
  unmute: { input: InRoom & OfAccount; answer: void };
  transferRoom: { input: InRoom & OfAccount; answer: Member };
  readSeats: { input: InRoom; answer: Seats };
  enterRoom: { input: InRoom & { body: { place?: string } }; answer: SeatState };
  letIn: { input: InRoom & OfAccount; answer: SeatState };
  exitRoom: { input: InRoom & OfAccount; answer: void };
  readAudit: { input: InRoom & Paged; answer: { entries: AuditEntry[]; next?: string } };
  /** `code`: told this once. */
  makeInvite: { input: InRoom & { body: { expires_in_s?: number; max_uses?: number } }; answer: Invite & { code: string } };
  listInvites: { input: InRoom & Paged; answer: { invites: Invite[]; next?: string } };
  /** `code`: the code, or the `invite_id`. */
  deleteInvite: { input: InRoom & { code: string }; answer: void };
  joinByInvite: { input: { code: string }; answer: Room };
  listInvitations: { input: Paged; answer: { invitations: Invitation[]; next?: string } };
  acceptInvitation: { input: InRoom; answer: Room };
  declineInvitation: { input: InRoom; answer: void };
  /** At most one of `before`, `after`, `around`, `anchor`; none: the newest page. */
  readHistory: {
    input: InRoom & {
      before?: Seq;
      after?: Seq;
      around?: Seq;
      anchor?: "newest" | "oldest" | "first_unread";
      limit?: number;
    };
    answer: HistoryPage;
  };
  sendMessage: {
    input: InRoom & { body: Content & { msg_type?: MessageType; reply_to?: Seq; topic?: string } };
    answer: { room_id: RoomId; client_id: ClientId; seq: Seq; rev: Rev; ts: Time; duplicate: boolean };
  };
  sendEnvelope: {
    input: InRoom & {
      body: {
        client_id: ClientId;
        devices: string;
        payload?: string;
        envelopes?: EnvelopeBody[];
        silent?: boolean;
        expires_in_s?: number;
      };
    };
    answer: EnvelopeSent;
  };
  /** Of 500 own messages. */
  readDeliveries: { input: InRoom & { from_seq?: Seq }; answer: { accounts: AccountDeliveries[] } };
  readMessage: { input: OfMessage; answer: Message };
  editMessage: { input: OfMessage & { body: Content }; answer: Message };
  deleteMessage: { input: OfMessage; answer: Message };
  readVersions: { input: OfMessage & Paged; answer: { versions: MessageVersion[]; next?: string } };
  markRead: { input: InRoom & { body: { seq: Seq } }; answer: OwnMarker };
  markUnread: { input: InRoom & { body: { seq: Seq } }; answer: OwnMarker };
  listReaders: { input: OfMessage & Paged; answer: { readers: { account_id: AccountId; read_seq: Seq }[]; next?: string } };
  readUnread: {
    input: object;
    answer: { total: number; mentions: number; rooms: { room_id: RoomId; unread: number; mentions: number }[] };
  };
  readEvents: { input: InRoom & { epoch: Epoch; after_rev: Rev; limit?: number }; answer: EventPage };
}

/** How far the account has come in a room. */
export interface OwnMarker {
  room_id: RoomId;
  account_id: AccountId;
  read_seq: Seq;
  delivered_seq: Seq;
  unread_from?: Seq;
}

export type Operation = keyof Operations;
export type Input<K extends Operation> = Operations[K]["input"];
export type AnswerOf<K extends Operation> = Operations[K]["answer"];

/** How a call is written, and what may be repeated where its answer was lost. */
export interface Route {
  method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  path: string;
  /** Needs no sign-in. */
  open?: true;
  /** Makes something: it carries an `idempotency-key`, so that a repetition makes nothing twice. */
  making?: true;
  /** Is carried out also where the page goes meanwhile. */
  keepalive?: true;
  /** May be repeated: the answer is the same, or nothing is lost by it. */
  repeatable?: true;
}

const get = (path: string): Route => ({ method: "GET", path, repeatable: true });
const put = (path: string): Route => ({ method: "PUT", path, repeatable: true });
const patch = (path: string): Route => ({ method: "PATCH", path, repeatable: true });
const post = (path: string): Route => ({ method: "POST", path });
const making = (path: string): Route => ({ method: "POST", path, making: true, repeatable: true });
/** Repeated, it may find that there is nothing left to delete. */
const remove = (path: string): Route => ({ method: "DELETE", path });

/** Where each call goes. */
export const ROUTES: { readonly [K in Operation]: Route } = {
  signUp: { ...post("/v1/accounts"), open: true },
  findAccounts: get("/v1/accounts"),
  signIn: { ...post("/v1/tokens"), open: true },
  signOut: { ...remove("/v1/tokens"), repeatable: true },
  refreshTokens: { ...post("/v1/tokens/refresh"), open: true, repeatable: true },
  issueTicket: { ...post("/v1/tickets"), repeatable: true },
  readMe: get("/v1/me"),
  changeMe: patch("/v1/me"),
  removeMe: remove("/v1/me"),
  changePassword: { method: "PUT", path: "/v1/me/password" },
  listDevices: get("/v1/devices"),
  renameDevice: patch("/v1/devices/{device_id}"),
  removeDevice: remove("/v1/devices/{device_id}"),
  uploadKeys: put("/v1/me/keys"),
  changeIdentity: put("/v1/me/identity"),
  readVault: get("/v1/me/vault"),
  keepVault: put("/v1/me/vault"),
  queryKeys: { ...post("/v1/keys/query"), repeatable: true },
  claimKeys: post("/v1/keys/claim"),
  sendEnvelopes: { ...post("/v1/envelopes"), repeatable: true },
  readQueue: get("/v1/queue"),
  ackQueue: { ...post("/v1/queue/ack"), repeatable: true },
  rejectEnvelope: { ...post("/v1/queue/reject"), repeatable: true },
  listBlocks: get("/v1/blocks"),
  block: put("/v1/blocks/{account_id}"),
  unblock: remove("/v1/blocks/{account_id}"),
  readPresence: get("/v1/presence"),
  setPresence: put("/v1/me/presence"),
  listAccounts: get("/v1/admin/accounts"),
  createAccounts: making("/v1/admin/accounts"),
  readAccount: get("/v1/admin/accounts/{account_id}"),
  removeAccount: remove("/v1/admin/accounts/{account_id}"),
  suspendAccount: { ...post("/v1/admin/accounts/{account_id}/suspend"), repeatable: true },
  restoreAccount: { ...post("/v1/admin/accounts/{account_id}/restore"), repeatable: true },
  listRooms: get("/v1/rooms"),
  createRoom: making("/v1/rooms"),
  getRoom: get("/v1/rooms/{room_id}"),
  changeRoom: patch("/v1/rooms/{room_id}"),
  archiveRoom: remove("/v1/rooms/{room_id}"),
  findChannels: get("/v1/channels"),
  listMembers: get("/v1/rooms/{room_id}/members"),
  addMembers: making("/v1/rooms/{room_id}/members"),
  putMember: put("/v1/rooms/{room_id}/members/{account_id}"),
  removeMember: remove("/v1/rooms/{room_id}/members/{account_id}"),
  join: { ...post("/v1/rooms/{room_id}/join"), repeatable: true },
  listBans: get("/v1/rooms/{room_id}/bans"),
  ban: put("/v1/rooms/{room_id}/bans/{account_id}"),
  unban: remove("/v1/rooms/{room_id}/bans/{account_id}"),
  mute: put("/v1/rooms/{room_id}/mutes/{account_id}"),
  unmute: { ...remove("/v1/rooms/{room_id}/mutes/{account_id}"), repeatable: true },
  transferRoom: put("/v1/rooms/{room_id}/owner/{account_id}"),
  readSeats: get("/v1/rooms/{room_id}/seats"),
  enterRoom: { ...post("/v1/rooms/{room_id}/seats"), repeatable: true },
  letIn: put("/v1/rooms/{room_id}/seats/{account_id}"),
  exitRoom: { ...remove("/v1/rooms/{room_id}/seats/{account_id}"), repeatable: true },
  readAudit: get("/v1/rooms/{room_id}/audit"),
  makeInvite: making("/v1/rooms/{room_id}/invites"),
  listInvites: get("/v1/rooms/{room_id}/invites"),
  deleteInvite: remove("/v1/rooms/{room_id}/invites/{code}"),
  joinByInvite: post("/v1/invites/{code}"),
  listInvitations: get("/v1/me/invitations"),
  acceptInvitation: post("/v1/me/invitations/{room_id}"),
  declineInvitation: remove("/v1/me/invitations/{room_id}"),
  readHistory: get("/v1/rooms/{room_id}/messages"),
  sendMessage: { ...post("/v1/rooms/{room_id}/messages"), repeatable: true },
  sendEnvelope: { ...post("/v1/rooms/{room_id}/envelopes"), repeatable: true },
  readDeliveries: get("/v1/rooms/{room_id}/deliveries"),
  readMessage: get("/v1/rooms/{room_id}/messages/{seq}"),
  editMessage: patch("/v1/rooms/{room_id}/messages/{seq}"),
  deleteMessage: { ...remove("/v1/rooms/{room_id}/messages/{seq}"), keepalive: true },
  readVersions: get("/v1/rooms/{room_id}/messages/{seq}/versions"),
  markRead: put("/v1/rooms/{room_id}/read"),
  markUnread: put("/v1/rooms/{room_id}/unread"),
  listReaders: get("/v1/rooms/{room_id}/readers"),
  readUnread: get("/v1/unread"),
  readEvents: get("/v1/rooms/{room_id}/events"),
};
