import type { Command } from "../client/commands.ts";
import type { Environment } from "../client/environment.ts";
import { type Host, SIGNED_OUT } from "../client/host.ts";
import { asConfabError, closed, ConfabError } from "../http/error.ts";
import type { Credentials, SharedSignIn } from "../http/signIn.ts";
import type { Change } from "../model/change.ts";
import type { Model, Snapshot } from "../model/model.ts";
import type { ErrorInfo } from "../model/views.ts";
import type { Channel, Locks } from "./platform.ts";

/** How long a new tab waits for what another one knows before it shows what is kept. */
const GREETING_MS = 500;
/** How often a tab that is looked at asks whether the leader is there, and how often in vain. */
const BEAT_MS = 1_000;
const MOST_MISSED = 3;
/** How long another tab may renew the tokens; then its browser has suspended it. Servers still take the token that it used. */
const ALONE_MS = 25_000;

type Message =
  /** A tab is new, or has missed something. */
  | { kind: "hello"; tab: string }
  /** A tab that knows all is there, too. */
  | { kind: "here"; tab: string }
  /** Whether the leader is there; its timers may be slowed down, and this one wakes it. */
  | { kind: "tick" }
  /** It is. Of two who think that they lead, the one of the later term does. */
  | { kind: "beat"; leader: string; term: number }
  /** All that the leader knows; `to`: for one tab, or, from a new leader, for all. `told`: that the person signed out. */
  | { kind: "snapshot"; to?: string; leader: string; term: number; n: number; snapshot: Snapshot; credentials?: Credentials; told?: boolean }
  | { kind: "changes"; leader: string; n: number; changes: readonly Change[] }
  | { kind: "command"; leader: string; tab: string; id: number; command: Command }
  | { kind: "done"; to: string; id: number; error?: ErrorInfo }
  | { kind: "credentials"; credentials: Credentials }
  /** The person signed out: each tab does at once, and who leads forgets what is kept. */
  | { kind: "signed_out" };

interface Asked {
  command: Command;
  done: () => void;
  failed: (error: ConfabError) => void;
}

export interface TabsOptions {
  /** The same for all tabs that share; another one for each server. */
  name: string;
  /** Of this tab. */
  tab: string;
  locks: Locks;
  channel: Channel;
  model: Model;
  environment: Environment;
  /** Makes the part that has the connection, when this tab leads. @param told whether the person signed out */
  host: (publish: (changes: readonly Change[]) => void, told: () => boolean) => Promise<Host>;
  /** Another tab leads, or this one: it does not know what this tab watches. */
  led: () => void;
  /** Keeps new tokens across runs, where they are in no cookie. */
  keep: (credentials: Credentials) => Promise<void>;
}

/**
 * The tabs of a profile, one of which leads: it has the connection and tells the others each change. Who
 * leads is decided by a lock, so that another one follows as soon as the leader is gone. A browser may
 * also suspend the leader with its lock: a tab that is looked at and hears nothing takes the lock away, and
 * the leader before, when it wakes, finds that out and follows. What a tab asked of a leader that did not
 * answer any more it asks of the next.
 */
export class Tabs implements SharedSignIn {
  readonly #options: TabsOptions;
  readonly #asked = new Map<number, Asked>();
  readonly #ended = new AbortController();
  readonly #attended = new Set<string>();
  #asks = 0;
  #credentials: Credentials | undefined;
  /** Whether the person signed out, and nobody has signed in since. A tab that keeps nothing shows the same and does not know. */
  #told = false;
  #host: Host | undefined;
  #leader: string | undefined;
  /** The latest that is known: when its leader began. */
  #term = 0;
  /** Whether this tab has the leader's lock; each time another number. */
  #holds = 0;
  #held = 0;
  /** Takes back the request for the lock. */
  #withdraw = new AbortController();
  /** Questions to the leader since it was heard of last. */
  #missed = 0;
  #stopLooking: (() => void) | undefined;
  /** Of the last changes of the leader. */
  #n = 0;
  /** Releases the locks. */
  #end: () => void = () => undefined;
  #over: Promise<void> = Promise.resolve();
  #greeted: () => void = () => undefined;

  constructor(options: TabsOptions) {
    this.#options = options;
    options.model.session.subscribe(({ state }) => {
      if (state === "signed_in") this.#told = false;
    });
  }

  /** Done when this tab leads, or knows what the leader does, or after a moment. */
  async start(): Promise<void> {
    const { channel, environment, locks, name, tab } = this.#options;
    this.#over = new Promise<void>((end) => (this.#end = end));
    const greeted = new Promise<void>((done) => (this.#greeted = done));
    channel.onmessage = ({ data }) => this.#received(data as Message);
    const { signal } = this.#ended;
    const mine = locks.request(`${name}/tab/${tab}`, { signal }, () => this.#over);
    mine.catch((failure: unknown) => signal.aborted || environment.report(failure));
    this.#contend();
    channel.postMessage({ kind: "hello", tab } satisfies Message);
    this.#missed = 0;
    this.look();
    const stop = environment.timer(this.#greeted, GREETING_MS);
    await greeted;
    stop();
  }

  get isLeader(): boolean {
    return this.#host !== undefined;
  }

  /** Asks for the leader's lock. @param steal at once, from one that does not answer */
  #contend(steal = false): void {
    const { environment, locks, name } = this.#options;
    this.#withdraw.abort();
    const withdraw = (this.#withdraw = new AbortController());
    const options = steal ? { steal } : { signal: AbortSignal.any([this.#ended.signal, withdraw.signal]) };
    let held = 0;
    locks
      .request(`${name}/leader`, options, async () => {
        held = this.#holds = ++this.#held;
        await this.#lead(held);
        await this.#over;
      })
      .catch((failure: unknown) => {
        const isWithdrawn = withdraw.signal.aborted;
        if (this.#ended.signal.aborted || (isWithdrawn && held === 0)) return;
        const stolen = held !== 0 && failure instanceof Error && failure.name === "AbortError";
        if (!stolen) environment.report(failure);
        if (held !== 0 && this.#holds === held) this.#depose();
        if (stolen && !isWithdrawn) this.#contend();
      });
  }

  /** Another tab leads: this one writes nothing more, and follows. */
  #depose(): void {
    const host = this.#host;
    this.#holds = 0;
    this.#host = undefined;
    this.#leader = undefined;
    this.#attended.clear();
    host?.abandon();
    this.#options.channel.postMessage({ kind: "hello", tab: this.#options.tab } satisfies Message);
    this.look();
  }

  /** While the tab is looked at, the leader must be there. */
  look(): void {
    const { channel, environment } = this.#options;
    this.#stopLooking?.();
    this.#stopLooking = undefined;
    if (this.#holds !== 0 || this.#ended.signal.aborted || !environment.visible()) {
      this.#missed = 0;
      return;
    }
    if (this.#missed >= MOST_MISSED) {
      this.#missed = 0;
      this.#contend(true);
    } else {
      this.#missed++;
      channel.postMessage({ kind: "tick" } satisfies Message);
    }
    this.#stopLooking = environment.timer(() => this.look(), BEAT_MS);
  }

  async #lead(held: number): Promise<void> {
    if (this.#ended.signal.aborted) return;
    const { channel, environment, model, tab } = this.#options;
    const isMine = (): boolean => this.#holds === held;
    const term = Math.max(this.#term + 1, environment.time());
    const host = await this.#options.host(
      (changes) => isMine() && this.#publish(changes),
      () => this.#told,
    );
    if (!isMine()) return host.abandon();
    this.#leader = tab;
    this.#term = term;
    this.#n = 0;
    this.#host = host;
    host.start();
    channel.postMessage(this.#snapshot(model.snapshot()));
    this.#greeted();
    this.#options.led();
    for (const [id, command] of this.#unanswered()) this.#carryOutHere(id, command);
  }

  #snapshot(snapshot: Snapshot, to?: string): Message {
    return {
      kind: "snapshot",
      leader: this.#options.tab,
      term: this.#term,
      n: this.#n,
      snapshot,
      ...(to !== undefined && { to }),
      ...(this.#credentials && { credentials: this.#credentials }),
      told: this.#told,
    };
  }

  #publish(changes: readonly Change[]): void {
    if (!this.#host) return; // the first snapshot has them
    const { channel, tab } = this.#options;
    channel.postMessage({ kind: "changes", leader: tab, n: ++this.#n, changes } satisfies Message);
  }

  /** Has a command carried out by who leads; done when it has taken effect. */
  command(command: Command): Promise<void> {
    if (this.#ended.signal.aborted) return Promise.reject(closed("the client is closed"));
    return new Promise((done, failed) => {
      const id = ++this.#asks;
      this.#asked.set(id, { command, done, failed });
      if (this.#host) this.#carryOutHere(id, command);
      else if (this.#leader !== undefined) this.#ask(id, command);
    });
  }

  #carryOutHere(id: number, command: Command): void {
    const host = this.#host!;
    void this.#carryOut(command).then((error) => {
      if (host === this.#host) this.#settle(id, error); // else the next leader is asked
    });
  }

  /** What was asked of a leader and is not settled. */
  unsettled(): Command[] {
    return [...this.#asked.values()].map((asked) => asked.command);
  }

  /** What is asked of the next leader, too. Who signed in since is not signed out by what was asked before. */
  #unanswered(): [number, Command][] {
    const signedIn = this.#options.model.session.value.state === "signed_in";
    for (const [id, { command }] of this.#asked) if (signedIn && command.kind === "signed_out") this.#settle(id, undefined);
    return [...this.#asked].map(([id, { command }]) => [id, command]);
  }

  #ask(id: number, command: Command): void {
    const { channel, tab } = this.#options;
    channel.postMessage({ kind: "command", leader: this.#leader!, tab, id, command } satisfies Message);
  }

  async #carryOut(command: Command): Promise<ErrorInfo | undefined> {
    try {
      await this.#host!.command(command);
      return undefined;
    } catch (failure) {
      if (!(failure instanceof ConfabError)) this.#options.environment.report(failure);
      return asConfabError(failure).info;
    }
  }

  #settle(id: number, error: ErrorInfo | undefined): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (error) asked?.failed(new ConfabError(error));
    else asked?.done();
  }

  #received(message: Message): void {
    const { tab } = this.#options;
    switch (message.kind) {
      case "hello":
        return this.#hello(message.tab);
      case "here":
        return this.#attend(message.tab);
      case "tick":
        return this.#tick();
      case "beat":
        return this.#beat(message);
      case "snapshot":
        if (!this.#host && (message.to === undefined || message.to === tab)) this.#follow(message);
        return;
      case "changes":
        if (!this.#host) this.#changes(message);
        return;
      case "command":
        if (this.#host && message.leader === tab) this.#carryOutFor(message);
        return;
      case "done":
        if (message.to === tab) this.#settle(message.id, message.error);
        return;
      case "credentials":
        this.#credentials = message.credentials;
        return;
      case "signed_out":
        this.#signedOut();
        if (this.#host) void this.#carryOut({ kind: "signed_out" });
    }
  }

  #signedOut(): void {
    this.#told = true;
    this.#credentials = undefined;
    this.#options.model.apply(SIGNED_OUT);
  }

  #tick(): void {
    if (this.#holds === 0) return;
    const { channel, tab } = this.#options;
    channel.postMessage({ kind: "beat", leader: tab, term: this.#term } satisfies Message);
    this.#host?.tick();
  }

  #beat({ leader, term }: Extract<Message, { kind: "beat" }>): void {
    if (this.#holds !== 0 || term < this.#term) return;
    this.#missed = 0;
    if (leader !== this.#leader) this.#options.channel.postMessage({ kind: "hello", tab: this.#options.tab } satisfies Message);
  }

  #carryOutFor({ tab, id, command }: Extract<Message, { kind: "command" }>): void {
    const host = this.#host;
    void this.#carryOut(command).then((error) => {
      if (host !== this.#host) return; // the next leader is asked
      this.#options.channel.postMessage({ kind: "done", to: tab, id, ...(error && { error }) } satisfies Message);
    });
  }

  #hello(tab: string): void {
    if (!this.#host) return;
    this.#options.channel.postMessage(this.#snapshot(this.#options.model.snapshot(), tab));
    this.#attend(tab);
  }

  /** Notices when a tab is closed: then its lock is free. */
  #attend(tab: string): void {
    const { environment, locks, name } = this.#options;
    const host = this.#host;
    if (!host || this.#attended.has(tab)) return;
    this.#attended.add(tab);
    locks
      .request(`${name}/tab/${tab}`, { signal: this.#ended.signal }, async () => host.gone(tab))
      .catch((failure: unknown) => this.#ended.signal.aborted || environment.report(failure));
  }

  #follow(message: Extract<Message, { kind: "snapshot" }>): void {
    if (message.term < this.#term) return; // of one that does not know yet that it leads no more
    const isNew = message.leader !== this.#leader;
    this.#leader = message.leader;
    this.#term = message.term;
    this.#missed = 0;
    this.#n = message.n;
    if (message.credentials) this.#credentials = message.credentials;
    if (message.told) this.#told = true;
    this.#options.model.load(message.snapshot);
    this.#greeted();
    if (!isNew) return;
    this.#options.channel.postMessage({ kind: "here", tab: this.#options.tab } satisfies Message);
    for (const [id, command] of this.#unanswered()) this.#ask(id, command);
    this.#options.led();
  }

  #changes(message: Extract<Message, { kind: "changes" }>): void {
    if (message.leader !== this.#leader) return; // its snapshot follows, or came too early
    if (message.n <= this.#n) return;
    if (message.n !== this.#n + 1) {
      this.#options.channel.postMessage({ kind: "hello", tab: this.#options.tab } satisfies Message);
      return;
    }
    this.#n = message.n;
    const { model, tab } = this.#options;
    model.apply(message.changes.filter((change) => change.kind !== "draft" || change.by !== tab));
  }

  async current(): Promise<Credentials | undefined> {
    const session = this.#options.model.session.value;
    if (this.#credentials) return this.#credentials;
    if (session.state !== "signed_in") return undefined;
    return { account_id: session.account_id, device_id: session.device_id, access_token: "" };
  }

  async keep(credentials: Credentials): Promise<void> {
    this.#credentials = credentials;
    await this.#options.keep(credentials);
    this.#options.channel.postMessage({ kind: "credentials", credentials } satisfies Message);
  }

  over(): void {
    if (this.#options.model.session.value.state !== "signed_in") return;
    this.command({ kind: "sign_in_over", why: "signed out" }).catch(() => undefined); // closed by now
  }

  /** What an earlier run kept. */
  restore(credentials: Credentials): void {
    this.#credentials = credentials;
  }

  /** The person signed out: it is so here at once, and in every other tab as soon as it hears of it. */
  forget(): void {
    this.#options.channel.postMessage({ kind: "signed_out" } satisfies Message);
    this.#signedOut();
  }

  alone<T>(work: () => Promise<T>): Promise<T> {
    const { environment, locks } = this.#options;
    const name = `${this.#options.name}/refresh`;
    const patience = new AbortController();
    return new Promise((done, failed) => {
      const stop = environment.timer(() => {
        patience.abort();
        locks.request(name, { steal: true }, work).then(done, failed);
      }, ALONE_MS);
      const mine = async (): Promise<T> => {
        stop();
        return work();
      };
      locks.request(name, { signal: patience.signal }, mine).then(done, (failure: unknown) => {
        if (!patience.signal.aborted) failed(failure);
      });
    });
  }

  /** Keeps at once what the leader in this tab has not kept yet: the page may be gone in a moment. */
  async flush(): Promise<void> {
    await this.#host?.flush();
  }

  /** Leaves; another tab leads then, where this one did. */
  async close(): Promise<void> {
    if (this.#ended.signal.aborted) return;
    for (const asked of this.#asked.values()) asked.failed(closed("the client is closed"));
    this.#asked.clear();
    const host = this.#host;
    this.#stopLooking?.();
    await host?.close();
    this.#ended.abort();
    this.#end();
    this.#options.channel.onmessage = null;
    this.#options.channel.close();
  }
}

/** For tabs that each lead, where browsers have no Web Locks: they hear of each other only that the person signed out. */
export function signOutsOnly(channel: Channel): Channel {
  const part: Channel = {
    onmessage: null,
    postMessage: (message) => (message as Message).kind === "signed_out" && channel.postMessage(message),
    close: () => channel.close(),
  };
  channel.onmessage = (event) => part.onmessage?.(event);
  return part;
}
