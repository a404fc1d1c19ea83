import type { SocketLike } from "../../src/client/environment.ts";
import { ROUTES, type Operation } from "../../src/http/operations.ts";
import type { ClientFrame, ServerFrame } from "../../src/protocol/frames.ts";
import type { HistoryPage, ListedRoom, Message, MessageReceive, NamedRoom, RoomEvent } from "../../src/protocol/things.ts";
import { isTombstone } from "../../src/protocol/things.ts";
import type { Clock } from "./clock.ts";

type Numbered = MessageReceive | RoomEvent;
type Body = Record<string, unknown>;

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryable: boolean;
  readonly retry_after_ms: number | undefined;
  readonly field: string | undefined;
  constructor(status: number, code: string, retryable = false, retry_after_ms?: number, field?: string) {
    super(code);
    this.status = status;
    this.code = code;
    this.retryable = retryable;
    this.retry_after_ms = retry_after_ms;
    this.field = field;
  }
}

interface Room {
  room: NamedRoom;
  members: Set<string>;
  messages: Message[];
  events: Numbered[];
  read: Map<string, number>;
}

interface Session {
  socket: FakeSocket;
  account_id: string;
  device_id: string;
  live: Set<string>;
  closed: boolean;
}

/** What a test may make go wrong: each says whether it happens now. */
export interface Faults {
  /** An HTTP request gets no answer; `before`: and is not carried out; `unavailable`, `forbidden`: it is refused. */
  http?: (operation: string) => "before" | "after" | "unavailable" | "forbidden" | undefined;
  /** Happens between an answer and its arrival. */
  delay?: (operation: string) => Promise<void>;
  /** A frame of the server is lost, with the connection. */
  cut?: (frame: ServerFrame | ClientFrame) => boolean;
  /** A send is refused for the moment; `stored`: it is stored all the same. */
  refuse?: () => "stored" | "lost" | "limited" | undefined;
}

/** A server in memory that keeps to the protocol as far as clients of these tests need it. */
export class FakeServer {
  readonly clock: Clock;
  readonly rooms = new Map<string, Room>();
  readonly #accounts = new Map<string, { account_id: string; handle: string; display_name: string; password: string }>();
  readonly #settings = new Map<string, Body>();
  readonly #tokens = new Map<string, { account_id: string; device_id: string }>();
  readonly #refresh = new Map<string, { account_id: string; device_id: string }>();
  readonly #keys = new Map<string, { seq: number; rev: number; ts: number; text: string }>();
  readonly sessions = new Set<Session>();
  readonly frames: ClientFrame[] = [];
  readonly calls: string[] = [];
  faults: Faults = {};
  /** Whether nobody can be reached. */
  away = false;
  /** Whether sockets are open and nothing goes through, as after a sleep. */
  mute = false;
  /** How far its clock is ahead of that of the machines, as it tells them. */
  ahead = 0;
  epoch = 1;
  /** The largest gap that is replayed. */
  most = 1_000;
  #made = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  account(handle: string, password = "secret99"): string {
    const account_id = `a-${handle}`;
    this.#accounts.set(account_id, { account_id, handle, display_name: handle.toUpperCase(), password });
    return account_id;
  }

  rename(account_id: string, display_name: string): void {
    this.#accounts.get(account_id)!.display_name = display_name;
  }

  room(room_id: string, ...members: string[]): void {
    const room: NamedRoom = {
      room_id,
      type: "group",
      name: room_id,
      role: "member",
      history: "all",
      member_count: 0,
      receipts: true,
      epoch: this.epoch,
      seq: 0,
      rev: 0,
    };
    this.rooms.set(room_id, { room, members: new Set(), messages: [], events: [], read: new Map() });
    for (const member of members) this.join(room_id, member);
  }

  join(room_id: string, account_id: string): void {
    const place = this.rooms.get(room_id)!;
    place.members.add(account_id);
    place.read.set(account_id, place.room.seq);
    place.room.member_count++;
    this.#event(place, { kind: "member.joined", account_id, actor_id: account_id, ts: this.clock.now });
    this.#toAccount(account_id, (session) => {
      session.live.add(room_id);
      return { type: "room.added", room: { ...place.room } };
    });
  }

  leave(room_id: string, account_id: string): void {
    const place = this.rooms.get(room_id)!;
    place.members.delete(account_id);
    place.room.member_count--;
    this.#toAccount(account_id, (session) => {
      session.live.delete(room_id);
      return { type: "room.removed", room_id, reason: "removed" };
    });
    this.#event(place, { kind: "member.left", account_id, actor_id: account_id, ts: this.clock.now, reason: "removed" });
  }

  /** Writes a frame to the sessions of an account. */
  tell(account_id: string, frame: ServerFrame): void {
    this.#toAccount(account_id, () => frame);
  }

  #toAccount(account_id: string, frame: (session: Session) => ServerFrame): void {
    for (const session of this.sessions) if (session.account_id === account_id) this.#write(session, frame(session));
  }

  #event(place: Room, event: Body): number {
    const rev = ++place.room.rev;
    const { room_id } = place.room;
    this.#tell(place, { type: "room.event", room_id, rev, epoch: this.epoch, ...event } as unknown as RoomEvent);
    return rev;
  }

  #tell(place: Room, event: Numbered): void {
    place.events.push(event);
    for (const session of [...this.sessions]) {
      if (place.members.has(session.account_id) && session.live.has(place.room.room_id)) this.#write(session, event);
    }
  }

  /** Stores a message, once for each key. */
  say(room_id: string, sender_id: string, body: string, client_id = `s-${++this.#made}`, reply_to?: number) {
    const place = this.rooms.get(room_id);
    if (!place?.members.has(sender_id)) throw new Refusal(404, "not_found");
    const text = JSON.stringify([room_id, body, reply_to]);
    const known = this.#keys.get(`${sender_id}/${client_id}`);
    if (known && known.text !== text) throw new Refusal(409, "idempotency_mismatch");
    if (known) return { ...known, duplicate: true };
    const seq = ++place.room.seq;
    const rev = ++place.room.rev;
    const ts = this.clock.now;
    const message: Message = {
      room_id,
      seq,
      rev,
      sender_id,
      client_id,
      msg_type: "text",
      body,
      ts,
      ...(reply_to !== undefined && { reply_to }),
      ...(body.includes("@all") && { mentions: ["@all"] }),
    };
    this.#keys.set(`${sender_id}/${client_id}`, { seq, rev, ts, text });
    place.messages.push(message);
    this.#tell(place, { type: "message.receive", ...message, epoch: this.epoch });
    return { seq, rev, ts, duplicate: false };
  }

  edit(room_id: string, seq: number, account_id: string, body: string): Message {
    const place = this.rooms.get(room_id)!;
    const old = place.messages[seq - 1];
    if (!old || old.sender_id !== account_id) throw new Refusal(403, "forbidden");
    if (isTombstone(old)) throw new Refusal(410, "gone");
    const changed_rev = place.room.rev + 1;
    const message = { ...old, body, changed_rev, edited_at: this.clock.now };
    place.messages[seq - 1] = message;
    this.#event(place, { kind: "message.edited", actor_id: account_id, ts: this.clock.now, message });
    return message;
  }

  delete(room_id: string, seq: number, account_id: string): Message {
    const place = this.rooms.get(room_id)!;
    const old = place.messages[seq - 1];
    if (!old) throw new Refusal(404, "not_found");
    if (isTombstone(old)) throw new Refusal(410, "gone");
    const changed_rev = place.room.rev + 1;
    const { sender_id, client_id, rev } = old;
    const ts = this.clock.now;
    const message: Message = { room_id, seq, rev, changed_rev, sender_id, client_id, msg_type: "text", ts: old.ts, deleted_at: ts, deleted_by: account_id };
    place.messages[seq - 1] = message;
    this.#event(place, { kind: "message.deleted", actor_id: account_id, ts, seq, deleted_by: account_id });
    return message;
  }

  /** All sockets are cut, as by a network that went away. */
  cutAll(code = 1006): void {
    for (const session of [...this.sessions]) this.#cut(session, code);
  }

  /** Tells everybody to leave. */
  goodbye(code: 4000 | 4409 | 4501, resume: boolean, reconnect_after_ms = 0): void {
    for (const session of [...this.sessions]) {
      this.#write(session, { type: "goodbye", code, reason: `closed ${code}`, resume, reconnect_after_ms });
      this.#cut(session, code);
    }
  }

  #cut(session: Session, code: number): void {
    session.closed = true;
    this.sessions.delete(session);
    session.socket.cut(code);
  }

  // sockets

  socket = (_url: string, protocol: string): SocketLike => {
    const socket = new FakeSocket(this);
    setImmediate(() => socket.begin(!this.away && protocol === "confab.v1"));
    return socket;
  };

  received(socket: FakeSocket, text: string): void {
    if (this.mute) return;
    const frame = JSON.parse(text) as ClientFrame;
    if (this.faults.cut?.(frame)) return socket.cut(1006);
    this.frames.push(frame);
    const session = [...this.sessions].find((each) => each.socket === socket);
    if (frame.type === "hello") return this.#hello(socket, frame.token ?? "", frame.id);
    if (!session) return;
    try {
      this.#frame(session, frame);
      if (this.faults.cut?.(frame)) this.#cut(session, 1006); // it was heard, and nobody knows
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      const { code, retryable, retry_after_ms } = refusal;
      const later = retry_after_ms === undefined ? {} : { retry_after_ms };
      const client_id = "client_id" in frame ? { client_id: frame.client_id } : {};
      this.#write(session, { type: "error", ...re(frame.id), code: code as never, message: code, retryable, ...later, ...client_id });
    }
  }

  #hello(socket: FakeSocket, token: string, id: string | undefined): void {
    const known = this.#tokens.get(token);
    if (!known) {
      socket.told({ type: "goodbye", code: 4401, reason: "not valid", resume: true, reconnect_after_ms: 0 });
      return socket.cut(4401);
    }
    for (const other of [...this.sessions]) {
      if (other.account_id === known.account_id && other.device_id === known.device_id) {
        this.#write(other, { type: "goodbye", code: 4409, reason: "displaced", resume: false, reconnect_after_ms: 0 });
        this.#cut(other, 4409);
      }
    }
    const session: Session = { socket, ...known, live: new Set(), closed: false };
    this.sessions.add(session);
    this.#write(session, {
      type: "welcome",
      ...re(id),
      session_id: "s",
      ...known,
      node_id: "n",
      server_time: this.clock.now + this.ahead,
      feature_level: 4,
      limits: { frame_bytes: 65_536, body_bytes: 16_384, requests: 256, rooms: 1_000 },
      rooms: this.#of(known.account_id).map(({ room, read }) => ({
        room_id: room.room_id,
        epoch: this.epoch,
        seq: room.seq,
        rev: room.rev,
        read_seq: read.get(known.account_id) ?? 0,
        receipts: room.receipts,
      })),
    });
  }

  #of(account_id: string): Room[] {
    return [...this.rooms.values()].filter((place) => place.members.has(account_id));
  }

  #frame(session: Session, frame: ClientFrame): void {
    switch (frame.type) {
      case "resume":
        return this.#resume(session, frame.rooms ?? [], frame.last ?? false, frame.id);
      case "message.send": {
        const refused = this.faults.refuse?.();
        if (refused === "limited") throw new Refusal(429, "rate_limited", true, 4_000);
        if (refused === "lost") throw new Refusal(503, "unavailable", true);
        const { room_id, client_id, body, reply_to } = frame;
        const { seq, rev, ts, duplicate } = this.say(room_id, session.account_id, body, client_id, reply_to);
        if (refused === "stored") throw new Refusal(503, "unavailable", true);
        return this.#write(session, {
          type: "message.ack",
          ...re(frame.id),
          room_id,
          client_id,
          seq,
          rev,
          ts,
          status: "sent",
          ...(duplicate && { duplicate }),
        });
      }
      case "read": {
        const place = this.rooms.get(frame.room_id)!;
        place.read.set(session.account_id, Math.max(place.read.get(session.account_id) ?? 0, frame.seq));
        this.#write(session, { type: "ok", ...re(frame.id) });
        const { unread, mentions } = this.#listed(place, session.account_id);
        this.#toAccount(session.account_id, () => ({ type: "unread", room_id: frame.room_id, unread, mentions, total: unread, seq: place.messages.at(-1)?.seq ?? 0 }));
        for (const other of this.sessions) {
          if (!place.members.has(other.account_id) || other === session) continue;
          this.#write(other, { type: "marker", room_id: frame.room_id, account_id: session.account_id, read_seq: frame.seq });
          this.#write(other, { type: "message.ack", room_id: frame.room_id, seq: frame.seq, status: "read" });
        }
        return;
      }
      case "typing":
      case "typing.stop": {
        const { room_id } = frame;
        const { account_id } = session;
        for (const other of this.sessions) {
          if (other.account_id === account_id || !other.live.has(room_id)) continue;
          this.#write(
            other,
            frame.type === "typing"
              ? { type: "typing", room_id, account_id, until: this.clock.now + 5_000 }
              : { type: "typing.stop", room_id, account_id },
          );
        }
        return;
      }
      case "presence.watch":
        return this.#write(session, {
          type: "presence.state",
          ...re(frame.id),
          accounts: (frame.accounts ?? []).map((account_id) => ({ account_id, status: "online" })),
          rooms: [],
        });
      case "ping":
        return this.#write(session, { type: "pong", ts: this.clock.now });
      case "bye":
        return this.#cut(session, 1000);
      default:
        return this.#write(session, { type: "ok", ...re(frame.id) });
    }
  }

  #resume(session: Session, points: { room_id: string; epoch: number; rev: number }[], last: boolean, id?: string): void {
    const events: Numbered[] = [];
    const rooms = points.map(({ room_id, epoch, rev }) => {
      const place = this.rooms.get(room_id);
      if (!place?.members.has(session.account_id)) return { room_id, gone: true as const };
      session.live.add(room_id);
      const missed = place.room.rev - rev;
      const recovered = epoch === this.epoch && missed >= 0 && missed <= this.most;
      if (recovered) events.push(...place.events.filter((event) => event.rev > rev).map((event) => this.#present(place, event)));
      return { room_id, epoch: this.epoch, rev: place.room.rev, recovered };
    });
    if (last) for (const place of this.#of(session.account_id)) session.live.add(place.room.room_id);
    this.#write(session, { type: "resumed", ...re(id), rooms });
    for (const event of events) this.#write(session, event);
  }

  /** Replayed messages carry their present state. */
  #present(place: Room, event: Numbered): Numbered {
    if (event.type === "message.receive") {
      return { type: "message.receive", ...place.messages[event.seq - 1]!, epoch: this.epoch } as MessageReceive;
    }
    return event.kind === "message.edited" ? { ...event, message: place.messages[event.message.seq - 1]! } : event;
  }

  #write(session: Session, frame: ServerFrame): void {
    if (session.closed || this.mute) return;
    if (this.faults.cut?.(frame)) return this.#cut(session, 1006);
    session.socket.told(frame);
  }

  // HTTP

  /** `fetch` of one browser profile, with its cookie. */
  fetch(profile: { cookie: string | undefined }): typeof globalThis.fetch {
    return async (input, init) => {
      await new Promise((done) => setImmediate(done));
      init?.signal?.throwIfAborted();
      const url = new URL(String(input), "http://fake");
      const { operation, fields } = route(init?.method ?? "GET", url);
      this.calls.push(operation);
      const fault = this.away ? "before" : this.faults.http?.(operation);
      if (fault === "before") throw new TypeError("fetch failed");
      const headers = new Headers(init?.headers);
      const body = init?.body ? (JSON.parse(String(init.body)) as Body) : {};
      let answer: { status: number; body?: unknown };
      try {
        if (fault === "unavailable") throw new Refusal(503, "unavailable", true);
        if (fault === "forbidden") throw new Refusal(403, "forbidden");
        answer = { status: 200, body: this.#answer(operation, { ...fields, ...body }, headers, profile) };
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        const { code, status, retryable, field } = refusal;
        answer = { status, body: { error: { code, message: code, retryable, ...(field !== undefined && { field }), request_id: "0123456789abcdef" } } };
      }
      await new Promise((done) => setImmediate(done));
      await this.faults.delay?.(operation);
      if (fault === "after") throw new TypeError("fetch failed");
      const text = answer.body === undefined ? "" : JSON.stringify(answer.body);
      // a real one would read its stream in turns that no test can wait for
      return { ok: answer.status < 300, status: answer.status, text: async () => text } as Response;
    };
  }

  #answer(operation: string, fields: Body, headers: Headers, profile: { cookie: string | undefined }): unknown {
    if (operation === "signIn") {
      const known = [...this.#accounts.values()].find((each) => each.handle === fields["handle"]);
      if (!known || known.password !== fields["password"]) throw new Refusal(401, "unauthorized");
      const device_id = (fields["device"] as { device_id: string }).device_id;
      return this.#issue({ account_id: known.account_id, device_id }, fields["cookie"] === true, profile);
    }
    if (operation === "refreshTokens") {
      const token = (fields["refresh_token"] as string | undefined) ?? profile.cookie;
      if (token === undefined) throw new Refusal(400, "invalid_field", false, undefined, "refresh_token");
      if (fields["refresh_token"] === undefined && headers.get("x-confab") !== "1") throw new Refusal(403, "forbidden");
      const known = this.#refresh.get(token);
      if (!known) throw new Refusal(401, "unauthorized");
      return this.#issue(known, fields["refresh_token"] === undefined, profile);
    }
    const caller = this.#tokens.get((headers.get("authorization") ?? "").replace("Bearer ", ""));
    if (!caller) throw new Refusal(401, "unauthorized");
    return this.#called(operation as Operation, fields, caller, profile);
  }

  #called(operation: Operation, fields: Body, caller: { account_id: string }, profile: { cookie: string | undefined }): unknown {
    const { account_id } = caller;
    const place = this.rooms.get(fields["room_id"] as string);
    if ("room_id" in fields && !place?.members.has(account_id)) throw new Refusal(404, "not_found");
    const { room_id, seq } = fields as { room_id: string; seq: number };
    switch (operation) {
      case "signOut":
        this.revoke(account_id);
        profile.cookie = undefined;
        return undefined;
      case "changeMe":
        this.#settings.set(account_id, { ...this.#settings.get(account_id), ...fields });
        return this.#called("readMe", {}, caller, profile);
      case "readMe": {
        const { password: _password, ...account } = this.#accounts.get(account_id)!;
        return { ...account, invites_from: "everyone", presence_visible_to: "everyone", last_seen_visible_to: "everyone", private_reading: false, ...this.#settings.get(account_id) };
      }
      case "findAccounts": {
        const ids = (fields["ids"] as string).split(",");
        return { accounts: [...this.#accounts.values()].filter((each) => ids.includes(each.account_id)) };
      }
      case "listRooms":
        return { rooms: this.#of(account_id).map((each) => this.#listed(each, account_id)) };
      case "listInvitations":
        return { invitations: [] };
      case "listMembers":
        return {
          members: [...place!.members].map((id) => {
            const { handle, display_name } = this.#accounts.get(id)!;
            return { account_id: id, handle, display_name, role: "member", joined_at: 1 };
          }),
        };
      case "readHistory":
        return this.#history(place!, fields);
      case "readEvents": {
        const after = Number(fields["after_rev"]);
        const events = place!.events.filter((event) => event.rev > after).slice(0, 200);
        const recovered = Number(fields["epoch"]) === this.epoch && after <= place!.room.rev;
        const has_more = (events.at(-1)?.rev ?? after) < place!.room.rev;
        return { epoch: this.epoch, recovered, events: events.map((each) => this.#present(place!, each)), rev: place!.room.rev, has_more };
      }
      case "editMessage":
        return this.edit(room_id, Number(seq), account_id, fields["body"] as string);
      case "deleteMessage":
        return this.delete(room_id, Number(seq), account_id);
      case "markUnread":
        return { room_id, account_id, read_seq: place!.read.get(account_id) ?? 0, delivered_seq: 0, unread_from: seq };
      default:
        throw new Refusal(404, "not_found");
    }
  }

  #issue(known: { account_id: string; device_id: string }, cookie: boolean, profile: { cookie: string | undefined }) {
    const access_token = `t-${++this.#made}`;
    const refresh_token = `r-${++this.#made}`;
    this.#tokens.set(access_token, known);
    this.#refresh.set(refresh_token, known);
    if (cookie) profile.cookie = refresh_token;
    return { access_token, expires_in_s: 900, ...known, ...(!cookie && { refresh_token }) };
  }

  /** Access tokens are over, as after 15 minutes. */
  expire(): void {
    this.#tokens.clear();
  }

  /** All sign-ins of an account end. */
  revoke(account_id: string): void {
    for (const tokens of [this.#tokens, this.#refresh]) {
      for (const [token, known] of tokens) if (known.account_id === account_id) tokens.delete(token);
    }
    for (const session of [...this.sessions]) {
      if (session.account_id !== account_id) continue;
      this.#write(session, { type: "goodbye", code: 4501, reason: "signed out", resume: false, reconnect_after_ms: 0 });
      this.#cut(session, 4501);
    }
  }

  #listed(place: Room, account_id: string): ListedRoom {
    const read_seq = place.read.get(account_id) ?? 0;
    const unread = place.messages.filter((each) => each.seq > read_seq && each.sender_id !== account_id && !isTombstone(each));
    const last_message = place.messages.at(-1);
    return {
      ...place.room,
      read_seq,
      unread: unread.length,
      mentions: unread.filter((each) => each.mentions?.includes("@all")).length,
      ...(last_message && { last_message }),
    };
  }

  #history(place: Room, fields: Body): HistoryPage {
    const limit = Number(fields["limit"] ?? 50);
    const count = place.messages.length;
    const before = fields["before"] === undefined ? undefined : Number(fields["before"]) - 1;
    const after = fields["after"] === undefined ? undefined : Number(fields["after"]);
    const around = fields["around"] === undefined ? undefined : Number(fields["around"]);
    let from = Math.max(0, count - limit);
    if (before !== undefined) from = Math.max(0, before - limit);
    else if (after !== undefined) from = after;
    else if (around !== undefined) from = Math.max(0, around - 1 - Math.floor(limit / 2));
    const to = before !== undefined ? Math.max(0, before) : Math.min(count, from + limit);
    const { seq, rev } = place.room;
    return { messages: place.messages.slice(from, to), has_older: from > 0, has_newer: to < count, epoch: this.epoch, seq, rev };
  }
}

function re(id: string | undefined): { re?: string } {
  return id === undefined ? {} : { re: id };
}

function route(method: string, url: URL): { operation: string; fields: Body } {
  for (const [operation, { method: wanted, path }] of Object.entries(ROUTES)) {
    const names = [...path.matchAll(/\{(\w+)\}/gu)].map((match) => match[1]!);
    const found = new RegExp(`^${path.replace(/\{\w+\}/gu, "([^/]+)")}$`, "u").exec(url.pathname);
    if (!found || method !== wanted) continue;
    const fields: Body = Object.fromEntries(url.searchParams);
    names.forEach((name, at) => (fields[name] = decodeURIComponent(found[at + 1]!)));
    return { operation, fields };
  }
  throw new Error(`no such call: ${method} ${url.pathname}`);
}

/** A socket whose frames arrive one after the other, each in a turn of its own. */
export class FakeSocket implements SocketLike {
  onopen: SocketLike["onopen"] = null;
  onmessage: SocketLike["onmessage"] = null;
  onclose: SocketLike["onclose"] = null;
  onerror: SocketLike["onerror"] = null;
  readonly #server: FakeServer;
  #open = false;

  constructor(server: FakeServer) {
    this.#server = server;
  }

  begin(reached: boolean): void {
    this.#open = reached;
    if (reached) this.onopen?.(undefined as never);
    else this.onclose?.({ code: 1006 });
  }

  send(data: string): void {
    if (this.#open) setImmediate(() => this.#open && this.#server.received(this, data));
  }

  /** The server says something. */
  told(frame: ServerFrame): void {
    const data = JSON.stringify(frame);
    if (this.#open) setImmediate(() => this.onmessage?.({ data }));
  }

  /** Nothing more comes. */
  cut(code: number): void {
    if (!this.#open) return;
    this.#open = false;
    setImmediate(() => this.onclose?.({ code }));
  }

  close(): void {
    this.#open = false;
    for (const session of [...this.#server.sessions]) if (session.socket === this) this.#server.sessions.delete(session);
  }
}
