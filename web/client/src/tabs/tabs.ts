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

type Message =
  /** A tab is new, or has missed something. */
  | { kind: "hello"; tab: string }
  /** A tab that knows all is there, too. */
  | { kind: "here"; tab: string }
  /** All that the leader knows; `to`: for one tab, or, from a new leader, for all. */
  | { kind: "snapshot"; to?: string; leader: string; n: number; snapshot: Snapshot; credentials?: Credentials }
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
  /** Makes the part that has the connection; called once, when this tab leads. */
  host: (publish: (changes: readonly Change[]) => void) => Promise<Host>;
  /** Another tab leads, or this one: it does not know what this tab watches. */
  led: () => void;
  /** Keeps new tokens across runs, where they are in no cookie. */
  keep: (credentials: Credentials) => Promise<void>;
}

/**
 * The tabs of a profile, one of which leads: it has the connection and tells the others each change. Who
 * leads is decided by a lock, so that another one follows as soon as the leader is gone. What a tab asked
 * of a leader that did not answer any more it asks of the next.
 */
export class Tabs implements SharedSignIn {
  readonly #options: TabsOptions;
  readonly #asked = new Map<number, Asked>();
  readonly #ended = new AbortController();
  readonly #attended = new Set<string>();
  #asks = 0;
  #credentials: Credentials | undefined;
  #host: Host | undefined;
  #leader: string | undefined;
  /** Of the last changes of the leader. */
  #n = 0;
  /** Releases the locks. */
  #end: () => void = () => undefined;
  #greeted: () => void = () => undefined;

  constructor(options: TabsOptions) {
    this.#options = options;
  }

  /** Done when this tab leads, or knows what the leader does, or after a moment. */
  async start(): Promise<void> {
    const { channel, environment, locks, name, tab } = this.#options;
    const ended = new Promise<void>((end) => (this.#end = end));
    const greeted = new Promise<void>((done) => (this.#greeted = done));
    channel.onmessage = ({ data }) => this.#received(data as Message);
    const { signal } = this.#ended;
    const asked = [
      locks.request(`${name}/tab/${tab}`, { signal }, () => ended),
      locks.request(`${name}/leader`, { signal }, async () => {
        await this.#lead();
        await ended;
      }),
    ];
    for (const lock of asked) lock.catch((failure: unknown) => signal.aborted || environment.report(failure));
    channel.postMessage({ kind: "hello", tab } satisfies Message);
    const stop = environment.timer(this.#greeted, GREETING_MS);
    await greeted;
    stop();
  }

  get isLeader(): boolean {
    return this.#host !== undefined;
  }

  async #lead(): Promise<void> {
    if (this.#ended.signal.aborted) return;
    const { channel, model, tab } = this.#options;
    const host = await this.#options.host((changes) => this.#publish(changes));
    this.#leader = tab;
    this.#n = 0;
    this.#host = host;
    host.start();
    channel.postMessage(this.#snapshot(model.snapshot()));
    this.#greeted();
    this.#options.led();
    for (const [id, command] of this.#unanswered()) void this.#carryOut(command).then((error) => this.#settle(id, error));
  }

  #snapshot(snapshot: Snapshot, to?: string): Message {
    return {
      kind: "snapshot",
      leader: this.#options.tab,
      n: this.#n,
      snapshot,
      ...(to !== undefined && { to }),
      ...(this.#credentials && { credentials: this.#credentials }),
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
    if (this.#host) {
      return this.#carryOut(command).then((error) => {
        if (error) throw new ConfabError(error);
      });
    }
    return new Promise((done, failed) => {
      const id = ++this.#asks;
      this.#asked.set(id, { command, done, failed });
      if (this.#leader !== undefined) this.#ask(id, command);
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
    this.#credentials = undefined;
    this.#options.model.apply(SIGNED_OUT);
  }

  #carryOutFor({ tab, id, command }: Extract<Message, { kind: "command" }>): void {
    void this.#carryOut(command).then((error) => {
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
    const isNew = message.leader !== this.#leader;
    this.#leader = message.leader;
    this.#n = message.n;
    if (message.credentials) this.#credentials = message.credentials;
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
    return this.#options.locks.request(`${this.#options.name}/refresh`, {}, work);
  }

  /** Leaves; another tab leads then, where this one did. */
  async close(): Promise<void> {
    if (this.#ended.signal.aborted) return;
    for (const asked of this.#asked.values()) asked.failed(closed("the client is closed"));
    this.#asked.clear();
    const host = this.#host;
    await host?.close();
    this.#ended.abort();
    this.#end();
    this.#options.channel.onmessage = null;
    this.#options.channel.close();
  }
}
