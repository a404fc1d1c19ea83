import { batch, computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { messageKey, type LeaveReason, type Message, type Page, type PendingSend, type RoomUpdate, type RoomView } from "@confab/client";
import type { Goal, View } from "../log/Log.tsx";
import type { Line } from "../log/types.ts";
import { Burst } from "../session/burst.ts";
import { followed } from "../session/state.ts";
import { heldLine, pendingLine, type Held } from "./lines.ts";
import { Quotes } from "./quotes.ts";
import { daysOf, type Day } from "./rows.ts";
import { sealedFrom } from "./Sealed.tsx";
import { Seen } from "./seen.ts";
import { EMPTY, find, opened, withLive, withNewer, withOlder, type Run } from "./window.ts";

const PAGE = 60;
/** How often the log takes up what others say in a storm; the first message shows at once. */
const BURST_MS = 60;
/** Of what waits to be sent, the newest stand in the log, and what failed. */
const MOST_WAITING = 150;
/** After this, what is kept stands in for a page that does not come. */
const LATE_MS = 3000;

/** What was new when a room was opened; it stays while one looks at it. */
export interface News {
  /** The first unread message. */
  seq: number;
  count: number;
  since?: number | undefined;
}

/** What others want to know of a conversation. */
export interface Hooks {
  /** Somebody said something. */
  onSaid(line: Line): void;
  /** The account is no longer in the room. */
  onRemoved(reason: LeaveReason | "gone"): void;
}

/** One room as a tab looks at it: which part of the log is in the page, and how far it was read. */
export class Conversation {
  readonly view: RoomView;
  readonly run: Signal<Run<Held>> = signal(EMPTY);
  readonly goal = signal<Goal | undefined>(undefined);
  readonly place = signal(0);
  readonly news = signal<News | undefined>(undefined);
  readonly loadingOlder = signal(false);
  readonly loadingNewer = signal(false);
  /** The first page is on its way. */
  readonly opening = signal(true);
  readonly failed = signal<unknown>(undefined);
  readonly found = signal<number | undefined>(undefined);
  /** Who had read one's newest message before this tab was told of any reading. */
  readonly readers = signal<{ seq: number; ids: ReadonlySet<string> } | undefined>(undefined);
  /** Deleted here a moment ago, which can still be undone. */
  readonly deleting = signal<ReadonlySet<number>>(new Set());
  readonly screen = signal<View>({ first: 0, last: 0, end: true, dividerAbove: false });
  readonly quotes: Quotes;
  readonly days: ReadonlySignal<Day<Line>[]>;
  readonly state;
  readonly receipts;
  readonly markers;
  readonly members;

  readonly #self: string;
  readonly #mutedUntil = signal(0);
  readonly #ends: (() => void)[] = [];
  #seen = new Seen(0);
  #said: Held[] = [];
  readonly #waiting: Signal<readonly PendingSend[]>;
  readonly #burst = new Burst(BURST_MS, () => this.#flush());
  #turn = 0;
  /** Nobody has opened it since it was left. */
  #left = true;
  /** No page of it was read yet. */
  #noPage = true;
  /** Where it was opened last. */
  #at: { seq: number; flash: boolean } | undefined;
  /** Something was on the screen that nobody looked at. */
  #unwatched = false;
  readonly #hooks: Hooks;

  constructor(view: RoomView, self: string, hooks: Hooks) {
    this.view = view;
    this.quotes = new Quotes(view, self);
    this.#self = self;
    this.#hooks = hooks;
    const follow = <T>(observable: Parameters<typeof followed<T>>[0]): ReadonlySignal<T> => {
      const { value, end } = followed(observable);
      this.#ends.push(end);
      return value;
    };
    this.state = follow(view.state);
    this.#waiting = signal(view.pending.value);
    this.#ends.push(view.pending.subscribe((next) => this.#wait(next)));
    this.receipts = follow(view.receipts);
    this.markers = follow(view.markers);
    this.members = follow(view.members);
    const edits = follow(view.edits);
    this.#ends.push(view.updates((update) => batch(() => this.#update(update))));

    const overlaid = new WeakMap<Held, { by: unknown; line: Held }>();
    const lines = computed<readonly Line[]>(() => {
      const run = this.run.value;
      const changes = edits.value;
      const deleting = this.deleting.value;
      let held: readonly Held[] = run.messages;
      if (changes.size > 0 || deleting.size > 0) {
        held = held.map((line) => {
          const edit = changes.get(line.seq);
          const gone = deleting.has(line.seq) || (edit !== undefined && edit.body === undefined);
          if ((!edit && !gone) || line.deleted_at !== undefined) return line;
          const kept = overlaid.get(line);
          if (kept && kept.by === (gone ? "gone" : edit)) return kept.line;
          const over: Held = gone ? { ...line, body: undefined, deleted_at: line.ts, deleted_by: self } : { ...line, body: edit!.body };
          overlaid.set(line, { by: gone ? "gone" : edit, line: over });
          return over;
        });
      }
      if (run.hasNewer) return held;
      const waiting = this.#waiting.value;
      if (waiting.length === 0) return held;
      const known = new Set(held.slice(-waiting.length - 50).map((line) => line.key));
      const from = waiting.length - MOST_WAITING;
      const shown = waiting.filter((send, i) => (i >= from || send.state === "failed") && !known.has(messageKey(send, self)));
      return [...held, ...shown.map((send) => pendingLine(send, self))];
    });
    this.days = computed(() => {
      const news = this.news.value;
      const { messages, hasOlder } = this.run.value;
      const first = messages[0];
      // Where the run begins after it, the divider is above all that is here.
      const here = news && first && (first.seq <= news.seq || !hasOlder);
      return daysOf(lines.value, here ? news.seq : undefined);
    });
  }

  get room_id(): string {
    return this.view.room_id;
  }

  /** Lets go of everything. */
  end(): void {
    this.#turn++;
    this.#burst.end();
    for (const end of this.#ends) end();
    this.view.release();
  }

  /** Opens the room: at a message, at the first unread one, else at the end. */
  async open(at?: { seq: number; flash: boolean }): Promise<void> {
    const state = this.state.value;
    const run = this.run.value;
    this.#left = false;
    this.#at = at;
    if (at) {
      this.news.value ??= this.#newsOf();
      this.#seen = new Seen(this.news.value ? this.news.value.seq - 1 : (state?.room.seq ?? 0));
      return this.#goTo(at.seq, at.flash);
    }
    const news = this.#newsOf();
    this.news.value = news;
    this.found.value = undefined;
    if (news) {
      this.#seen = new Seen(news.seq - 1);
      const first = this.#inRun(news.seq);
      if (first) {
        this.#sharpen();
        this.#put({ kind: "divider" });
        return;
      }
      await this.#load({ anchor: "first_unread", limit: PAGE }, () => {
        this.#sharpen();
        return this.news.value ? { kind: "divider" } : { kind: "end" };
      });
      return;
    }
    this.#seen = new Seen(state?.room.seq ?? 0);
    if (run.messages.length > 0 && !run.hasNewer) {
      this.#put({ kind: "end" });
      return;
    }
    const log = this.view.log.value;
    if (log.messages.length > 0) {
      // What is known stands at once; what lies before it comes as one scrolls.
      this.#showKept(() => ({ kind: "end" }));
      if (log.messages.length >= 20 || !log.has_older) return;
    }
    await this.#load({ limit: PAGE }, () => ({ kind: "end" }));
  }

  /** Opens it again in the same place, where no page of it could be read. */
  async retry(): Promise<void> {
    if (this.failed.value !== undefined && this.#noPage) await this.open(this.#at);
  }

  /** The view was left: what was new is no longer. */
  leave(): void {
    this.#left = true;
    this.news.value = undefined;
    this.found.value = undefined;
  }

  #newsOf(): News | undefined {
    const state = this.state.value;
    if (!state || state.unread === 0) return undefined;
    const seq = Math.min(state.unread_from ?? Infinity, state.read_seq + 1);
    const count = state.unread;
    return seq < sealedFrom(state.room) ? { seq, count } : undefined; // what is sealed does not show
  }

  /** The divider stands above the first message that counts as unread, as soon as that is known. */
  #sharpen(): void {
    const news = this.news.value;
    if (!news) return;
    const sharp = this.#sharpened(news);
    this.news.value = sharp;
    if (sharp.seq > news.seq) this.#seen = new Seen(sharp.seq - 1);
  }

  #sharpened(news: News): News {
    const first = this.run.value.messages.find((line) => line.seq >= news.seq && line.sender_id !== this.#self && line.deleted_at === undefined);
    return first ? { ...news, seq: first.seq, since: first.ts } : news;
  }

  #inRun(seq: number): boolean {
    const { messages, hasNewer } = this.run.value;
    const first = messages[0];
    return first !== undefined && first.seq <= seq && (!hasNewer || messages.at(-1)!.seq >= seq);
  }

  #put(goal: Goal): void {
    this.#seen.jumped();
    this.goal.value = goal;
    this.opening.value = false;
  }

  goalReached(): void {
    this.goal.value = undefined;
  }

  /** Goes to a message, and loads what is around it where it is not in the page. */
  async #goTo(seq: number, flash: boolean): Promise<void> {
    const mark = () => {
      if (flash) this.found.value = seq;
      return { kind: "message", seq: this.#nearest(seq), flash } as const;
    };
    if (find(this.run.value.messages, seq) >= 0) {
      this.#put(mark());
      return;
    }
    await this.#load({ around: seq, limit: PAGE }, mark);
  }

  #nearest(seq: number): number {
    const messages = this.run.value.messages;
    const at = find(messages, seq);
    return at >= 0 ? seq : (messages[Math.min(~at, messages.length - 1)]?.seq ?? seq);
  }

  jump(seq: number): Promise<void> {
    return this.#goTo(seq, true);
  }

  async toNews(): Promise<void> {
    const news = this.news.value;
    if (!news) return;
    if (this.#inRun(news.seq)) this.#put({ kind: "divider" });
    else
      await this.#load({ around: news.seq, limit: PAGE }, () => {
        this.#sharpen();
        return { kind: "divider" };
      });
  }

  async toEnd(): Promise<void> {
    if (!this.run.value.hasNewer) {
      this.#put({ kind: "end" });
      return;
    }
    await this.#load({ limit: PAGE }, () => ({ kind: "end" }));
  }

  /** A message was written: the end is shown at once, whatever was shown before. */
  sent(): void {
    if (!this.run.value.hasNewer) {
      this.#put({ kind: "end" });
      return;
    }
    const log = this.view.log.value;
    batch(() => {
      this.place.value++;
      this.run.value = { messages: log.messages.map((m) => heldLine(m, this.#self)), hasOlder: true, hasNewer: false };
      this.#put({ kind: "end" });
    });
    void this.#load({ limit: PAGE }, () => ({ kind: "end" }));
  }

  /** Puts the newest messages that are known here into the page. */
  #showKept(then: () => Goal): void {
    const { messages, has_older } = this.view.log.value;
    batch(() => {
      this.run.value = { messages: messages.map((m) => heldLine(m, this.#self)), hasOlder: has_older, hasNewer: false };
      this.#noPage = false;
      this.#put(then());
    });
  }

  async #load(query: Parameters<RoomView["history"]>[0], then: () => Goal): Promise<void> {
    const turn = ++this.#turn;
    this.failed.value = undefined;
    if (this.run.value.messages.length === 0) this.opening.value = true;
    let early = false;
    const late = setTimeout(() => {
      early = turn === this.#turn && this.run.value.messages.length === 0 && this.view.log.value.messages.length > 0;
      if (early) this.#showKept(then);
    }, LATE_MS);
    try {
      const page = await this.view.history(query);
      if (turn !== this.#turn) return;
      // What came before the page is in it, and perhaps newer there.
      this.#flush();
      batch(() => {
        this.place.value++;
        this.run.value = opened(this.#held(page));
        this.#noPage = false;
        this.loadingOlder.value = this.loadingNewer.value = false;
        const goal = then();
        const { end, first } = this.screen.value;
        // Who reads meanwhile in what stood in for it stays there.
        this.#put(early && !end && goal.kind === "end" ? { kind: "message", seq: this.#nearest(first), flash: false } : goal);
      });
    } catch (error) {
      if (turn !== this.#turn) return;
      this.failed.value = error;
      this.opening.value = false;
    } finally {
      clearTimeout(late);
    }
  }

  async older(): Promise<void> {
    const first = this.run.value.messages[0];
    if (this.loadingOlder.value || !first) return;
    await this.#more(this.loadingOlder, { before: first.seq, limit: 100 }, withOlder);
  }

  async newer(): Promise<void> {
    const last = this.run.value.messages.at(-1);
    if (this.loadingNewer.value || !last) return;
    await this.#more(this.loadingNewer, { after: last.seq, limit: 100 }, withNewer);
  }

  async #more(loading: Signal<boolean>, query: { before?: number; after?: number; limit: number }, join: typeof withOlder<Held>): Promise<void> {
    const turn = this.#turn;
    loading.value = true;
    try {
      const page = await this.view.history(query);
      if (turn !== this.#turn) return;
      this.#flush();
      batch(() => {
        this.run.value = join(this.run.value, this.#held(page));
        loading.value = false;
        if (this.news.value && this.news.value.since === undefined) this.#sharpen();
      });
    } catch {
      // It is asked for again by the next scrolling; not at once, since nothing has changed.
      setTimeout(() => {
        if (turn === this.#turn) loading.value = false;
      }, 2000);
    }
  }

  #held(page: Page): { messages: Held[]; has_older: boolean; has_newer: boolean } {
    return { ...page, messages: page.messages.map((m) => heldLine(m, this.#self)) };
  }

  /** What is on its way, as far as the log has taken it up. */
  get pending(): ReadonlySignal<readonly PendingSend[]> {
    return this.#waiting;
  }

  /** One's own lines show at once; those that are settled go in the step in which what they became comes. */
  #wait(next: readonly PendingSend[]): void {
    if (next.length < this.#waiting.peek().length) queueMicrotask(() => this.#burst.ask());
    else this.#flush();
  }

  /** Puts what was said in a burst into the run, all at once. */
  #flush(): void {
    const said = this.#said;
    this.#said = [];
    batch(() => {
      this.#waiting.value = this.view.pending.value;
      if (said.length > 0) this.#change(said);
    });
  }

  #update(update: RoomUpdate): void {
    if (update.kind !== "said" && update.kind !== "stored") this.#flush();
    switch (update.kind) {
      case "said": {
        const line = heldLine(update.message, this.#self);
        this.#said.push(line);
        this.#burst.ask();
        this.#hooks.onSaid(line);
        break;
      }
      case "stored":
        this.#said.push(heldLine(update.message, this.#self));
        this.#burst.ask();
        break;
      case "edited":
        this.#replace(heldLine(update.message, this.#self));
        break;
      case "deleted": {
        const messages = this.run.value.messages;
        const at = find(messages, update.seq);
        if (at >= 0) {
          const { body: _, reply_to: __, edited_at: ___, topic: ____, mentions: _____, ...head } = messages[at]!;
          this.#replace({ ...head, deleted_at: update.deleted_at, deleted_by: update.deleted_by });
        }
        break;
      }
      case "reset":
        this.#reset(update.messages, update.gap);
        break;
      case "removed":
        this.#hooks.onRemoved(update.reason);
        break;
      case "event":
        if (update.event.kind === "member.muted" && update.event.account_id === this.#self) this.#mutedUntil.value = update.event.until ?? 0;
        break;
    }
  }

  #change(lines: readonly Held[]): void {
    const run = this.run.value;
    // Before the first page there is no run to join.
    if (run.messages.length === 0 && this.opening.value) return;
    // Where that could not be read, nobody knows what is before.
    const from = run.messages.length === 0 && this.#noPage ? { ...run, hasOlder: true } : run;
    this.run.value = withLive(from, lines, !this.screen.value.end);
  }

  #replace(line: Held): void {
    const run = this.run.value;
    if (find(run.messages, line.seq) >= 0) this.run.value = withLive(run, [line], true);
    this.quotes.changed(line);
  }

  #reset(messages: readonly Message[], gap: boolean): void {
    const run = this.run.value;
    const lines = messages.map((m) => heldLine(m, this.#self));
    const last = run.messages.at(-1);
    if (!last) {
      // A page that is on its way has it; where none came, or an empty one, this is the first.
      if (!this.opening.value && lines[0]) this.run.value = { messages: lines, hasOlder: lines[0].seq > 1, hasNewer: false };
      return;
    }
    if (!gap || (lines[0] && lines[0].seq <= last.seq + 1 && !run.hasNewer)) {
      this.run.value = withLive(run, lines, !this.screen.value.end);
      return;
    }
    if (this.screen.value.end) {
      this.#turn++;
      this.run.value = { messages: lines, hasOlder: (lines[0]?.seq ?? 1) > 1, hasNewer: false };
      this.#put({ kind: "end" });
    } else {
      void this.#load({ around: this.screen.value.first, limit: 100 }, () => ({ kind: "message", seq: this.#nearest(this.screen.value.first), flash: false }));
    }
  }

  /** What is on the screen now; `looking`: of a tab that has the focus. */
  looked(view: View, looking: boolean): void {
    const before = this.screen.value;
    if (before.first !== view.first || before.last !== view.last || before.end !== view.end || before.dividerAbove !== view.dividerAbove)
      this.screen.value = view;
    if (!looking) {
      this.#unwatched = true;
      this.#seen.jumped(); // what the log follows meanwhile passes unseen
    }
    // The log is drawn before the room is opened: what was new must be known by then.
    if (this.#left || !looking || view.last === 0 || this.goal.value) return;
    const read = this.#seen.shows(view.first, view.last);
    if (read !== undefined) this.view.read(read);
    else if (this.#unwatched) this.#missed();
    this.#unwatched = false;
  }

  /** One is back, and not all of what came is on the screen: the way to it is shown. */
  #missed(): void {
    const news = this.#newsOf();
    if (!news || (this.news.value && this.news.value.seq >= news.seq)) return;
    this.news.value = this.#inRun(news.seq) ? this.#sharpened(news) : news;
  }

  /** Everything is read, by word. */
  markRead(): void {
    const last = this.state.value?.room.seq ?? 0;
    this.news.value = undefined;
    this.#seen.readElsewhere(last);
    if (last > 0) this.view.read(last);
  }

  async markUnread(seq: number): Promise<void> {
    this.#seen = new Seen(Number.MAX_SAFE_INTEGER);
    await this.view.markUnread(seq);
    const line = this.run.value.messages[find(this.run.value.messages, seq)];
    this.news.value = { seq, count: this.state.value?.unread ?? 1, since: line?.ts };
  }

  /** A message that another one replies to; read where it is not in the page. */
  quoted(seq: number): Line | undefined {
    const { messages } = this.run.value;
    const at = find(messages, seq);
    return at >= 0 ? messages[at] : this.quotes.get(seq);
  }

  /** Until when the account may not write here, as far as it was told. */
  get mutedUntil(): number {
    const told = this.#mutedUntil.value;
    return this.members.value ? (this.members.value.get(this.#self)?.muted_until ?? 0) : told;
  }

  /** The newest own message of the room, wherever one reads: as it is shown, with an edit that is under way. */
  lastOwn(): (Line & { seq: number }) | undefined {
    const run = this.run.value;
    const messages = run.hasNewer ? this.view.log.value.messages.map((message) => heldLine(message, this.#self)) : run.messages;
    const edits = this.view.edits.value;
    const gone = (seq: number) => this.deleting.value.has(seq) || (edits.has(seq) && edits.get(seq)!.body === undefined);
    const last = messages.findLast((line) => line.sender_id === this.#self && line.body !== undefined && !gone(line.seq));
    return last && { ...last, body: edits.get(last.seq)?.body ?? last.body };
  }
}
