import type { ConfabApi } from "../http/api.ts";
import { asConfabError } from "../http/error.ts";
import type { SignIn } from "../http/signIn.ts";
import type { Change } from "../model/change.ts";
import type { Model } from "../model/model.ts";
import type { Session } from "../model/views.ts";
import type { ServerFrame } from "../protocol/frames.ts";
import type { ListedRoom } from "../protocol/things.ts";
import type { RoomId, Seq } from "../protocol/values.ts";
import { Backoff } from "../rules/backoff.ts";
import { Keeper } from "../store/keeper.ts";
import type { Kept, KeptOwed, KeptSession, Store } from "../store/store.ts";
import type { Command } from "./commands.ts";
import { Edits } from "./edits.ts";
import { Engine } from "./engine.ts";
import type { Environment } from "./environment.ts";
import { Owing } from "./owing.ts";
import { Watching } from "./watching.ts";
import { within } from "./within.ts";

/** How often a call is made whose outcome is unknown, and which may be made twice. */
const TRIES = 6;
/** How long anybody waits for the store. */
const STORE_MS = 2_000;
const CLEAR_TRIES = 3;
const NOTHING: Kept = { rooms: [], sends: [], people: [] };

/** What nobody who signed out on purpose sees any more. */
export const SIGNED_OUT: readonly Change[] = [
  { kind: "cleared" },
  { kind: "connection", connection: { state: "stopped" } },
  { kind: "session", session: { state: "signed_out" } },
];

export interface HostOptions {
  model: Model;
  api: ConfabApi;
  signIn: SignIn;
  servers: readonly string[];
  environment: Environment;
  store: Store;
  kept: Kept;
  /** The most bytes of messages that are kept, about. */
  most_bytes: number;
  /** Tells other tabs; the model here has the changes already. */
  publish: (changes: readonly Change[]) => void;
}

/**
 * The part that has the connection, and alone writes into the store: one among all tabs. It carries out the
 * commands of all of them.
 */
export class Host {
  readonly #options: HostOptions;
  readonly #backoff: Backoff;
  readonly #watching: Watching;
  #keeper: Keeper;
  #edits: Edits;
  #session: KeptSession | undefined;
  #engine: Engine | undefined;
  #clearing: Promise<void> = Promise.resolve();
  readonly #owing: Owing;
  /** How often what is told once was begun to be read. */
  #refreshes = 0;
  #closed = false;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#session = options.kept.session;
    this.#backoff = new Backoff(options.environment.random);
    this.#keeper = this.#newKeeper(options.kept);
    this.#edits = this.#newEdits();
    this.#owing = new Owing(options, options.kept.owed);
    this.#watching = new Watching(options.environment, (frame) => this.#engine?.transmit(frame));
    const sends = options.kept.sends.map(({ order: _order, ...send }) => send);
    const unknown = sends.filter((send) => this.#isNew(send.room_id, send.client_id));
    this.#publish(unknown.map((send) => ({ kind: "pending", send })));
  }

  #isNew(room_id: RoomId, client_id: string): boolean {
    const room = this.#options.model.room(room_id);
    return !room.pending.value.some((send) => send.client_id === client_id);
  }

  #newKeeper(kept: Kept): Keeper {
    const { store, model, environment, most_bytes } = this.#options;
    return new Keeper(store, model, kept, {
      most_bytes,
      now: environment.time,
      later: environment.timer,
      failed: environment.report,
    });
  }

  #newEdits(): Edits {
    const { api, environment } = this.#options;
    return new Edits({ api, environment, backoff: this.#backoff, publish: (changes) => this.#publish(changes) });
  }

  /** Connects, where somebody is signed in. */
  start(): void {
    void this.#owing.pay();
    const { kept, model } = this.#options;
    if (kept.disowned || (this.#session && isSignedOut(model.session.value))) {
      void this.#signedOut(); // who led before was told, and gone before it could forget
      return;
    }
    if (!this.#session || this.#session.ended !== undefined) return;
    this.#begin();
  }

  #begin(): void {
    this.#engine?.abandon();
    const engine = new Engine({
      ...this.#options,
      inOrder: (sends) => this.#keeper.inOrder(sends),
      publish: (changes) => this.#publish(changes),
      live: () => this.#live(),
      frame: (frame) => this.#heard(frame),
      over: (why) => this.#over(why),
    });
    this.#engine = engine;
    engine.give({ kind: "connect" });
    // what the leader before had begun, or an earlier run
    for (const edit of this.#options.model.edits()) this.#edits.add(edit).catch(() => undefined);
    this.#edits.wake();
  }

  #publish(changes: readonly Change[]): void {
    if (changes.length === 0 || this.#closed) return;
    for (const change of changes) {
      if (change.kind === "connection" && change.connection.state !== "live") this.#watching.lost();
    }
    this.#options.model.apply(changes);
    this.#keeper.note(changes);
    this.#options.publish(changes);
  }

  /** Done when the command has taken effect; fails with `ConfabError`. */
  async command(command: Command): Promise<void> {
    const engine = this.#engine;
    switch (command.kind) {
      case "connect":
        return engine?.give({ kind: "connect" });
      case "wake": {
        void this.#owing.pay();
        const { state } = this.#options.model.connection.value;
        return engine?.give({ kind: state === "waiting" ? "connect" : "probe" });
      }
      case "send":
        return this.#send(command);
      case "retry":
        engine?.retry(command.room_id, command.client_id);
        return this.#keeper.flush();
      case "discard":
        engine?.give({ kind: "discard", client_id: command.client_id });
        this.#publish([{ kind: "discarded", room_id: command.room_id, client_id: command.client_id }]);
        return;
      case "edit":
        return this.#edits.add(command.edit);
      case "read":
        engine?.give({ kind: "read", room_id: command.room_id, seq: command.seq });
        return this.#publish([command]);
      case "mark_unread":
        return this.#markUnread(command.room_id, command.seq);
      case "typing":
        return engine?.give({ kind: "typing", room_id: command.room_id });
      case "stop_typing":
        return engine?.give({ kind: "typing_stop" });
      case "enter":
      case "exit":
        return engine?.give(command);
      case "watch":
        return this.#watching.watch(command.tab, command.accounts, command.rooms);
      case "presence":
        return this.#watching.presence(command.tab, command.status, command.text);
      case "draft":
      case "page":
      case "people":
      case "me":
        if (this.#session) this.#publish([command]); // of whoever signed out, nothing
        return;
      case "signed_in":
        return this.#signedIn(command.session);
      case "signed_out":
        return this.#signedOut(command.owed);
      case "settle":
        return this.#owing.pay();
      case "sign_in_over":
        return this.#over(command.why);
    }
  }

  /** A tab is closed. */
  gone(tab: string): void {
    this.#watching.gone(tab);
  }

  async #send(command: Extract<Command, { kind: "send" }>): Promise<void> {
    if (this.#engine) this.#engine.send(command.message, command.made_at);
    else this.#publish([{ kind: "pending", send: { ...command.message, made_at: command.made_at, state: "waiting" } }]);
    await this.#keeper.flush();
  }

  async #markUnread(room_id: RoomId, seq: Seq): Promise<void> {
    this.#engine?.give({ kind: "unread", room_id });
    const marker = await this.#repeated(() => this.#options.api.ask("markUnread", { room_id, body: { seq } }));
    this.#publish([{ kind: "signal", signal: { kind: "marker", ...marker } }]);
  }

  async #repeated<T>(call: () => Promise<T>): Promise<T> {
    for (let failures = 0; ; failures++) {
      try {
        return await call();
      } catch (failure) {
        const error = asConfabError(failure);
        if (!error.retryable || failures + 1 >= TRIES || this.#closed) throw error;
        await this.#options.environment.sleep(Math.max(error.retry_after_ms ?? 0, this.#backoff.delay(failures)));
      }
    }
  }

  /** What is told once and may be missed is read anew on each connection. */
  #live(): void {
    this.#watching.live();
    this.#edits.wake();
    void this.#refresh();
  }

  async #refresh(failures = 0, mine = ++this.#refreshes): Promise<void> {
    const engine = this.#engine;
    const { api, environment, model } = this.#options;
    const isCurrent = (): boolean => mine === this.#refreshes && engine === this.#engine && !this.#closed;
    try {
      const [rooms, invitations, me] = await Promise.all([
        api.all("listRooms", {}),
        api.all("listInvitations", {}),
        api.ask("readMe", {}),
      ]);
      if (!isCurrent()) return;
      this.#publish([
        { kind: "listed", rooms },
        { kind: "invitations", invitations },
        { kind: "me", me },
        { kind: "people", accounts: [me] },
      ]);
      this.#tellRead(rooms);
    } catch (failure) {
      const { retryable, retry_after_ms } = asConfabError(failure);
      if (!retryable) return;
      await environment.sleep(Math.max(retry_after_ms ?? 0, this.#backoff.delay(failures)));
      if (isCurrent() && model.connection.value.state === "live") await this.#refresh(failures + 1, mine);
    }
  }

  /** What was read without a connection. */
  #tellRead(rooms: readonly ListedRoom[]): void {
    for (const { room_id, read_seq } of rooms) {
      const seq = this.#options.model.room(room_id).state.value?.read_seq ?? 0;
      if (seq > read_seq) this.#engine?.give({ kind: "read", room_id, seq });
    }
  }

  #heard(frame: ServerFrame): void {
    switch (frame.type) {
      case "presence": {
        const { type: _type, ...account } = frame;
        return this.#publish([{ kind: "presence", accounts: [account], rooms: [] }]);
      }
      case "presence.count":
        return this.#publish([{ kind: "presence", accounts: [], rooms: [{ room_id: frame.room_id, online: frame.online }] }]);
      case "presence.state":
        return this.#publish([{ kind: "presence", accounts: frame.accounts, rooms: frame.rooms, whole: true }]);
      case "invitation":
        return this.#readInvitations();
      case "invitation.ended": {
        const left = this.#options.model.invitations.value.filter((each) => each.room_id !== frame.room_id);
        return this.#publish([{ kind: "invitations", invitations: left }]);
      }
      case "account.changed":
        return this.#publish([{ kind: "renamed", account_id: frame.account_id, display_name: frame.display_name }]);
      case "devices.changed":
        return this.#publish([{ kind: "devices", version: frame.version }]);
      case "error":
        this.#watching.refused(frame.re, frame.retryable);
    }
  }

  #readInvitations(): void {
    const engine = this.#engine;
    this.#options.api.all("listInvitations", {}).then(
      (invitations) => engine === this.#engine && this.#publish([{ kind: "invitations", invitations }]),
      () => undefined, // read again on the next connection
    );
  }

  async #signedIn(session: KeptSession): Promise<void> {
    const { environment, store } = this.#options;
    this.#engine?.abandon();
    this.#engine = undefined;
    // without a session it is not known whose the rest is
    if (this.#session?.account_id !== session.account_id) {
      this.#publish([{ kind: "cleared" }]);
      this.#forget();
    }
    await this.#clearing;
    this.#session = session;
    await this.#owing.replaced(session);
    const written = store.write({ session, device_id: session.device_id }).catch(environment.report);
    await within(environment, written, STORE_MS);
    const { account_id, device_id, handle } = session;
    this.#publish([{ kind: "session", session: { state: "signed_in", account_id, device_id, handle } }]);
    this.#begin();
  }

  /** Told to all tabs at once, whatever the store does. Done when nothing is kept any more. */
  async #signedOut(owed?: KeptOwed): Promise<void> {
    const isKept = this.#session !== undefined || this.#options.kept.disowned === true;
    this.#engine?.close();
    this.#engine = undefined;
    this.#session = undefined;
    this.#publish(SIGNED_OUT);
    if (owed) await this.#owing.owe(owed);
    if (isKept) this.#forget();
    await this.#clearing;
  }

  /** Lets go of all that is kept of an account. */
  #forget(): void {
    const { environment } = this.#options;
    const written = this.#keeper.end();
    this.#keeper = this.#newKeeper(NOTHING);
    this.#edits.close();
    this.#edits = this.#newEdits();
    // a server may have said before that the sign-in is over: what was kept for that goes, too
    this.#clearing = this.#clearing.then(() => within(environment, written, STORE_MS)).then(() => this.#clear());
  }

  async #clear(): Promise<void> {
    const { environment, store } = this.#options;
    let cleared = false;
    const clear = async (): Promise<void> => {
      await store.clear();
      cleared = true;
    };
    for (let tries = 0; !cleared && tries < CLEAR_TRIES; tries++) {
      await within(environment, clear().catch(environment.report), STORE_MS);
    }
  }

  /** The sign-in ended elsewhere; what waits is kept for who signs in again. */
  #over(why: string): void {
    const session = this.#session;
    if (!session || session.ended !== undefined) return;
    const { refresh_token: _spent, ...rest } = session;
    this.#session = { ...rest, ended: why };
    const engine = this.#engine;
    this.#engine = undefined;
    engine?.abandon();
    this.#publish([{ kind: "cleared", unsent: true }, { kind: "session", session: sessionOf(this.#session) }]);
    this.#keepUnsent(this.#session);
  }

  /** Lets go of all that is kept but of what waits. */
  #keepUnsent(session: KeptSession): void {
    const { environment, model, store } = this.#options;
    const waiting = model.pendingRooms().flatMap((room) => [...room.pending.value]);
    const sends = this.#keeper.inOrder(waiting).map((send, at) => ({ ...send, order: at + 1 }));
    const rooms = model.unsentRooms().map(({ room_id, draft, edits }) => ({ room_id, draft, edits: [...edits.value.values()], used_at: 0 }));
    const written = this.#keeper.end();
    this.#keeper = this.#newKeeper({ rooms, sends, people: [] });
    const cleared = (): Promise<void> => store.write({ cleared: true, session, rooms, sends }).catch(environment.report);
    this.#clearing = this.#clearing
      .then(() => within(environment, written, STORE_MS))
      .then(() => within(environment, cleared(), STORE_MS));
  }

  /** Time has passed, also where this tab's timers are slow. */
  tick(): void {
    this.#engine?.give({ kind: "tick" });
  }

  /** Done when all is kept. */
  flush(): Promise<void> {
    return this.#keeper.flush();
  }

  /** Ends this tab's part without a word: another tab has it already, and alone writes. */
  abandon(): void {
    this.#end();
    void this.#keeper.end();
  }

  #end(): void {
    this.#closed = true;
    this.#watching.close();
    this.#owing.close();
    this.#edits.close();
    this.#engine?.abandon();
    this.#engine = undefined;
  }

  /** Ends this tab's part; the next one goes on from what is kept. */
  async close(): Promise<void> {
    this.#end();
    await within(this.#options.environment, this.#keeper.flush(), STORE_MS);
  }
}

/** How a kept session is shown. */
export function sessionOf(session: KeptSession | undefined): Session {
  if (!session) return { state: "signed_out" };
  const { account_id, device_id, handle, ended } = session;
  return ended === undefined
    ? { state: "signed_in", account_id, device_id, handle }
    : { state: "signed_out", handle, ...(ended !== "" && { why: ended }) };
}

/** Whether nobody is, or who was did so on purpose. */
export function isSignedOut(session: Session): boolean {
  return session.state === "signed_out" && session.handle === undefined;
}
