import { ConfabApi } from "../http/api.ts";
import type { HttpCalls } from "../http/calls.ts";
import { asConfabError, type ConfabError, unreachable } from "../http/error.ts";
import type { Input } from "../http/operations.ts";
import { type Owed, SignIn } from "../http/signIn.ts";
import type { Model } from "../model/model.ts";
import type { Account } from "../protocol/things.ts";
import type { AccountId, ClientId, OwnStatus, RoomId } from "../protocol/values.ts";
import { Backoff } from "../rules/backoff.ts";
import type { Batch, KeptSession, Store } from "../store/store.ts";
import type { Tabs } from "../tabs/tabs.ts";
import type { Client, RoomView } from "./client.ts";
import type { Command } from "./commands.ts";
import type { Environment } from "./environment.ts";
import { People } from "./people.ts";
import { LiveRoom, type RoomContext } from "./roomView.ts";
import { within } from "./within.ts";

/** A follower looks after the tries of a leader whose timers the browser slows down. */
const LATE_MS = 500;
/** How long a server is asked to end a sign-in before somebody else has to decide. */
const SIGN_OUT_MS = 15_000;
/** How long signing in waits for what is owed. */
const SETTLE_MS = 3_000;

export interface ConfabClientOptions {
  tab: string;
  model: Model;
  store: Store;
  environment: Environment;
  api: ConfabApi;
  signIn: SignIn;
  tabs: Tabs;
  device: { name: string; platform: string };
  /** Of this machine, whoever signs in. */
  device_id: string;
  /** Whether the refresh token goes into a cookie. */
  cookie: boolean;
}

/** The account's conversations in one tab, or in one program. Made by `openClient`. */
export class ConfabClient implements Client {
  readonly api: ConfabApi;
  readonly session;
  readonly connection;
  readonly me;
  readonly rooms;
  readonly listed;
  readonly invitations;
  readonly people;
  readonly presence;
  readonly online;
  readonly devices_version;
  readonly #options: ConfabClientOptions;
  readonly #rooms = new Map<RoomId, RoomView>();
  readonly #context: RoomContext;
  readonly #people: People;
  readonly #wishes = new Set<{ accounts?: readonly AccountId[]; rooms?: readonly RoomId[] }>();
  #status: OwnStatus | undefined;
  #stopTimer: (() => void) | undefined;

  constructor(options: ConfabClientOptions) {
    this.#options = options;
    const { model, api, environment } = options;
    this.api = api;
    this.session = model.session;
    this.connection = model.connection;
    this.me = model.me;
    this.rooms = model.rooms;
    this.listed = model.listed;
    this.invitations = model.invitations;
    this.people = model.people;
    this.presence = model.presence;
    this.online = model.online;
    this.devices_version = model.devices_version;
    const command = (asked: Command): Promise<void> => options.tabs.command(asked);
    const tell = (asked: Command): void => this.#tell(asked);
    this.#context = { ...options, command, tell, released: (room_id) => void this.#rooms.delete(room_id) };
    this.#people = new People(model, api, environment, (accounts) => tell({ kind: "people", accounts }));
    model.session.subscribe((session) => session.state === "signed_out" && this.#people.forget());
    model.connection.subscribe((connection) => {
      this.#stopTimer?.();
      if (connection.state === "live") this.#people.refresh();
      if (connection.state !== "waiting") return;
      this.#stopTimer = environment.timer(() => this.#tell({ kind: "wake" }), (connection.retry_in_ms ?? 0) + LATE_MS);
    });
  }

  #tell(command: Command): void {
    this.#options.tabs.command(command).catch((failure: unknown) => {
      if (asConfabError(failure).code !== "closed") this.#options.environment.report(failure);
    });
  }

  signUp(handle: string, password: string, display_name?: string): Promise<Account> {
    return this.api.ask("signUp", { body: { handle, password, ...(display_name !== undefined && { display_name }) } });
  }

  async changeMe(body: Input<"changeMe">["body"]): Promise<void> {
    const { model } = this.#options;
    const me = await this.api.ask("changeMe", { body });
    if (model.self !== me.account_id) return; // signed out meanwhile
    model.apply([{ kind: "me", me }]);
    this.#tell({ kind: "me", me });
  }

  async signIn(handle: string, password: string): Promise<void> {
    const { cookie, device, device_id, environment, signIn, tabs } = this.#options;
    // its cookie would take the place of the one by which a sign-in can be ended
    await within(environment, tabs.command({ kind: "settle" }), SETTLE_MS);
    const tokens = await this.api.ask("signIn", {
      body: { handle, password, device: { device_id, ...device }, ...(cookie && { cookie }) },
    });
    const { account_id, device_id: named, refresh_token } = await signIn.accept(tokens);
    const session: KeptSession = {
      account_id,
      device_id: named,
      handle: handle.toLowerCase(),
      ...(refresh_token !== undefined && { refresh_token }),
    };
    await tabs.command({ kind: "signed_in", session });
  }

  async signOut(anyway = false): Promise<void> {
    const { environment, store, tabs } = this.#options;
    const owed = anyway ? await this.#owed() : undefined;
    if (!anyway) await this.#endSignIn();
    store.disown();
    tabs.forget();
    // a tab that leads and does not answer must not keep this one waiting
    await within(environment, tabs.command({ kind: "signed_out", ...(owed && { owed }) }), SIGN_OUT_MS);
  }

  async #owed(): Promise<Owed | undefined> {
    const known = await this.#options.tabs.current();
    if (!known) return undefined;
    const { access_token: _token, ...owed } = known;
    return owed;
  }

  /** Until a server says so, or that nobody is signed in; fails when none could for a while. */
  async #endSignIn(): Promise<void> {
    const { environment } = this.#options;
    const backoff = new Backoff(environment.random);
    const patience = new AbortController();
    let stop = (): void => undefined;
    const late = new Promise<ConfabError>((done) => {
      stop = environment.timer(() => {
        patience.abort();
        done(unreachable("it took too long"));
      }, SIGN_OUT_MS);
    });
    try {
      for (let failures = 0; ; failures++) {
        const asked = this.api.ask("signOut", {}, patience.signal).then(() => undefined, asConfabError);
        const error = await Promise.race([asked, late]);
        if (!error || error.code === "unauthorized" || error.status === 401) return;
        if (!error.retryable || patience.signal.aborted) throw error;
        await environment.sleep(Math.max(error.retry_after_ms ?? 0, backoff.delay(failures)));
        if (patience.signal.aborted) throw error;
      }
    } finally {
      stop();
    }
  }

  connect(): void {
    this.#tell({ kind: "connect" });
  }

  /** Somebody looks, or the network is back: a waiting connection tries at once, a live one is tried. */
  wake(): void {
    this.#options.tabs.look();
    this.#tell({ kind: "wake" });
  }

  async close(): Promise<void> {
    this.#stopTimer?.();
    this.#people.forget();
    await this.keepUnsent();
    await this.#options.tabs.close();
    this.#options.store.close();
  }

  /** Keeps what is not kept yet, and what no leader has taken: the page may be gone in a moment. */
  async keepUnsent(): Promise<void> {
    if (this.#options.tabs.isLeader) return this.#options.tabs.flush();
    const sends = this.#options.tabs.unsettled().filter((command) => command.kind === "send");
    if (sends.length === 0) return;
    const time = this.#options.environment.time();
    const batch: Batch = {
      sends: sends.map(({ message, made_at }, at) => ({ ...message, made_at, state: "waiting", order: time + at })),
    };
    await this.#options.store.write(batch).catch(this.#options.environment.report);
  }

  room(room_id: RoomId): RoomView {
    let room = this.#rooms.get(room_id);
    if (!room) this.#rooms.set(room_id, (room = new LiveRoom(room_id, this.#context)));
    return room;
  }

  person(account_id: AccountId): Account | undefined {
    return this.#people.get(account_id);
  }

  watch(who: { accounts?: readonly AccountId[]; rooms?: readonly RoomId[] }): () => void {
    const wish = { ...who };
    this.#wishes.add(wish);
    this.#tellWishes();
    return () => {
      if (this.#wishes.delete(wish)) this.#tellWishes();
    };
  }

  #tellWishes(): void {
    const accounts = [...new Set([...this.#wishes].flatMap((wish) => wish.accounts ?? []))];
    const rooms = [...new Set([...this.#wishes].flatMap((wish) => wish.rooms ?? []))];
    this.#tell({ kind: "watch", tab: this.#options.tab, accounts, rooms });
  }

  setPresence(status: OwnStatus, text?: string): Promise<void> {
    this.#status = status;
    const told = this.#options.tabs.command({ kind: "presence", tab: this.#options.tab, status, ...(text !== undefined && { text }) });
    told.catch(() => undefined); // not everybody waits for it
    return told;
  }

  /** Who leads now does not know what this tab watches, and how it is. */
  led(): void {
    if (this.#wishes.size > 0) this.#tellWishes();
    if (this.#status) this.#tell({ kind: "presence", tab: this.#options.tab, status: this.#status });
  }

  stopTyping(): void {
    this.#tell({ kind: "stop_typing" });
  }

  retry(client_id: ClientId): void {
    const room_id = this.#roomOf(client_id);
    if (room_id !== undefined) this.#tell({ kind: "retry", room_id, client_id });
  }

  discard(client_id: ClientId): void {
    const room_id = this.#roomOf(client_id);
    if (room_id === undefined) return;
    this.#options.model.apply([{ kind: "discarded", room_id, client_id }]);
    this.#tell({ kind: "discard", room_id, client_id });
  }

  #roomOf(client_id: ClientId): RoomId | undefined {
    const rooms = this.#options.model.pendingRooms();
    return rooms.find((room) => room.pending.value.some((send) => send.client_id === client_id))?.room_id;
  }
}

/** What the client's HTTP part is made of. */
export function httpPart(calls: HttpCalls, tabs: Tabs): { api: ConfabApi; signIn: SignIn } {
  const signIn = new SignIn(calls, tabs);
  return { api: new ConfabApi(calls, signIn), signIn };
}

