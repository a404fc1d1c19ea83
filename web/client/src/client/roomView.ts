import type { ConfabApi } from "../http/api.ts";
import { asConfabError, closed } from "../http/error.ts";
import { MOST } from "../model/log.ts";
import { applyUpdate } from "../model/messages.ts";
import type { Model } from "../model/model.ts";
import type { RoomModel } from "../model/room.ts";
import type { PendingEdit, PendingSend, RoomUpdate } from "../model/views.ts";
import type { Account, Member, Message } from "../protocol/things.ts";
import type { AccountId, RoomId, Seq } from "../protocol/values.ts";
import type { Outgoing } from "../rules/output.ts";
import type { Store } from "../store/store.ts";
import type { HistoryQuery, Page, RoomView } from "./client.ts";
import type { Command } from "./commands.ts";
import type { Environment } from "./environment.ts";
import { within } from "./within.ts";

const USUAL_PAGE = 50;
/** Above this many members a list of them is not kept up to date by itself. */
const MOST_MEMBERS = 1_000;
const RELOAD_MS = 1_000;
/** How long anybody waits for the store. */
const STORE_MS = 2_000;

export interface RoomContext {
  tab: string;
  model: Model;
  api: ConfabApi;
  store: Store;
  environment: Environment;
  /** Takes effect in the tab that has the connection. */
  command: (command: Command) => Promise<void>;
  /** The same where nobody waits for it. */
  tell: (command: Command) => void;
  /** Nobody uses this view any more. */
  released: (room_id: RoomId) => void;
}

/** A room as a tab sees it. */
export class LiveRoom implements RoomView {
  readonly room_id: RoomId;
  readonly #context: RoomContext;
  readonly #room: RoomModel;
  #members: Promise<ReadonlyMap<AccountId, Member>> | undefined;
  #reloading = false;
  readonly #stop: () => void;

  constructor(room_id: RoomId, context: RoomContext) {
    this.room_id = room_id;
    this.#context = context;
    this.#room = context.model.room(room_id);
    this.#room.most = MOST;
    this.#stop = this.#room.listen((update) => this.#noticed(update));
    void this.#cache();
  }

  get state() {
    return this.#room.state;
  }
  get log() {
    return this.#room.log;
  }
  get pending() {
    return this.#room.pending;
  }
  get edits() {
    return this.#room.edits;
  }
  get receipts() {
    return this.#room.receipts;
  }
  get markers() {
    return this.#room.markers;
  }
  get members() {
    return this.#room.members;
  }

  updates(listener: (update: RoomUpdate) => void): () => void {
    return this.#room.listen(listener);
  }

  /** What an earlier run kept joins the log, also where nobody waits for it any more. */
  async #cache(): Promise<Message[]> {
    const { environment, store } = this.#context;
    let messages: Message[] = [];
    const read = this.#own(store.messages(this.room_id)).then((kept) => {
      messages = kept;
      const has_older = (messages[0]?.seq ?? 0) > 1;
      if (messages.length > 0) this.#room.page({ messages, has_older, has_newer: false });
    });
    await within(environment, read, STORE_MS);
    return messages;
  }

  /** What comes after somebody signed out is of nobody. */
  async #own<T>(asked: Promise<T>): Promise<T> {
    const { model } = this.#context;
    const { self } = model;
    const answer = await asked;
    if (self === "" || self !== model.self) throw closed("nobody is signed in any more");
    return answer;
  }

  release(): void {
    this.#stop();
    this.#room.shrink();
    this.#context.released(this.room_id);
  }

  async history(query: HistoryQuery = {}): Promise<Page> {
    const meanwhile: RoomUpdate[] = [];
    const stop = this.#room.listen((update) => meanwhile.push(update));
    try {
      const page: Page = await this.#own(this.#context.api.ask("readHistory", { room_id: this.room_id, ...query }));
      Object.assign(page, caughtUp(page, meanwhile));
      const { messages, has_older, has_newer } = page;
      const command = { kind: "page", room_id: this.room_id, page: { messages, has_older, has_newer } } as const;
      this.#context.model.apply([command]);
      this.#context.tell(command);
      return page;
    } catch (failure) {
      const error = asConfabError(failure);
      const cached = error.retryable ? await this.#cached(query) : undefined;
      if (!cached) throw error;
      return cached;
    } finally {
      stop();
    }
  }

  async #cached(query: HistoryQuery): Promise<Page | undefined> {
    const settled = (): Message[] => this.#room.log.value.messages.filter((message) => !message.provisional);
    const kept = settled().length > 0 ? [] : await this.#cache();
    const log = settled();
    const all = log.length > 0 ? log : kept;
    if (all.length === 0) return undefined;
    const [from, to] = slice(all, query, this.#room.state.value?.read_seq ?? 0);
    if (from >= to && (query.before !== undefined || query.after !== undefined)) return undefined;
    const has_older = from > 0 || (log.length > 0 ? this.#room.log.value.has_older : all[0]!.seq > 1);
    return {
      messages: all.slice(from, to),
      has_older,
      has_newer: to < all.length,
      epoch: this.#room.position?.epoch ?? 0,
      seq: all.at(-1)!.seq,
      rev: this.#room.position?.rev ?? 0,
      cached: true,
    };
  }

  loadMembers(): Promise<ReadonlyMap<AccountId, Member>> {
    this.#members ??= this.#readMembers().catch((failure: unknown) => {
      this.#members = undefined;
      throw failure;
    });
    return this.#members;
  }

  async #readMembers(): Promise<ReadonlyMap<AccountId, Member>> {
    const listed = await this.#own(this.#context.api.all("listMembers", { room_id: this.room_id }, MOST_MEMBERS));
    const members = new Map(listed.map((member) => [member.account_id, member]));
    this.#room.members.set(members);
    const unknown: Account[] = listed.filter((member) => !this.#context.model.people.value.has(member.account_id));
    if (unknown.length > 0) this.#context.tell({ kind: "people", accounts: unknown.map(account) });
    return members;
  }

  /** Who joined is not told with a name: the list is read again. */
  #noticed(update: RoomUpdate): void {
    if (update.kind === "removed") this.#members = undefined;
    if (update.kind !== "event" || !this.#members || this.#reloading) return;
    if (update.event.kind !== "member.joined" && update.event.kind !== "members") return;
    this.#reloading = true;
    this.#context.environment.timer(() => {
      this.#reloading = false;
      this.#members = undefined;
      this.loadMembers().catch(() => undefined); // the next one tries again
    }, RELOAD_MS);
  }

  send(body: string, more: { reply_to?: Seq; topic?: string } = {}): PendingSend {
    const { environment, model } = this.#context;
    const { reply_to, topic } = more;
    const message: Outgoing = {
      room_id: this.room_id,
      client_id: environment.newId(),
      body,
      ...(reply_to !== undefined && { reply_to }),
      ...(topic !== undefined && { topic }),
    };
    const made_at = environment.time();
    const send: PendingSend = { ...message, made_at, state: "waiting" };
    model.apply([{ kind: "pending", send }]);
    this.#context.tell({ kind: "send", message, made_at });
    return send;
  }

  edit(seq: Seq, body: string): Promise<void> {
    return this.#edit({ room_id: this.room_id, seq, body, client_id: this.#context.environment.newId() });
  }

  delete(seq: Seq): Promise<void> {
    return this.#edit({ room_id: this.room_id, seq });
  }

  #edit(edit: PendingEdit): Promise<void> {
    this.#context.model.apply([{ kind: "editing", edit }]);
    return this.#context.command({ kind: "edit", edit });
  }

  read(seq: Seq): void {
    const command = { kind: "read", room_id: this.room_id, seq } as const;
    this.#context.model.apply([command]);
    this.#context.tell(command);
  }

  markUnread(seq: Seq): Promise<void> {
    return this.#context.command({ kind: "mark_unread", room_id: this.room_id, seq });
  }

  typing(): void {
    this.#context.tell({ kind: "typing", room_id: this.room_id });
  }

  enter(): void {
    this.#context.tell({ kind: "enter", room_id: this.room_id });
  }

  exit(): void {
    this.#context.tell({ kind: "exit", room_id: this.room_id });
  }

  setDraft(text: string): void {
    if (this.#context.model.self === "") return;
    const command = { kind: "draft", room_id: this.room_id, text, by: this.#context.tab } as const;
    this.#context.model.apply([command]);
    this.#context.tell(command);
  }
}

function account({ account_id, handle, display_name }: Account): Account {
  return { account_id, handle, display_name };
}

/** The page with what was told since it was asked for; where something is missing between, more follows it. */
function caughtUp(page: Page, updates: readonly RoomUpdate[]): Pick<Page, "messages" | "has_newer"> {
  let { messages, has_newer } = page;
  const changed = (update: RoomUpdate): void => void (messages = messages.map((message) => applyUpdate(message, update)));
  for (const update of updates) {
    changed(update);
    const said = update.kind === "said" ? [update.message] : update.kind === "reset" ? update.messages : [];
    for (const message of said) {
      if (update.kind === "reset") changed({ kind: "said", message });
      const known = Math.max(page.seq, messages.at(-1)?.seq ?? 0);
      if (has_newer || message.seq <= known) continue;
      if (message.seq === known + 1) messages = [...messages, message];
      else has_newer = true;
    }
  }
  return { messages, has_newer };
}

/** Which messages a query means, of those that are there. */
function slice(all: readonly Message[], query: HistoryQuery, read: Seq): [number, number] {
  const limit = query.limit ?? USUAL_PAGE;
  const below = (seq: Seq): number => {
    const at = all.findIndex((message) => message.seq >= seq);
    return at < 0 ? all.length : at;
  };
  const around = (seq: Seq): [number, number] => {
    const from = Math.max(0, Math.min(below(seq) - Math.floor(limit / 2), all.length - limit));
    return [from, Math.min(all.length, from + limit)];
  };
  if (query.before !== undefined) return [Math.max(0, below(query.before) - limit), below(query.before)];
  if (query.after !== undefined) return [below(query.after + 1), Math.min(all.length, below(query.after + 1) + limit)];
  if (query.around !== undefined) return around(query.around);
  if (query.anchor === "oldest") return [0, Math.min(limit, all.length)];
  if (query.anchor === "first_unread" && read < all.at(-1)!.seq) return around(read + 1);
  return [Math.max(0, all.length - limit), all.length];
}
