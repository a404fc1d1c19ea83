import { unreachable } from "../http/error.ts";
import type { ClientFrame } from "../protocol/frames.ts";
import type { AccountId, OwnStatus, RoomId } from "../protocol/values.ts";
import type { Environment } from "./environment.ts";

const MOST_ACCOUNTS = 1_000;
const MOST_ROOMS = 100;
const SETTLE_MS = 50;
const RETRY_MS = 5_000;

interface Wishes {
  accounts: readonly AccountId[];
  rooms: readonly RoomId[];
  status: OwnStatus | undefined;
}

/** What all tabs together watch, and say of themselves: the most present of them counts. */
export class Watching {
  readonly #environment: Environment;
  readonly #transmit: (frame: ClientFrame) => void;
  readonly #tabs = new Map<string, Wishes>();
  #live = false;
  #stopTimer: (() => void) | undefined;
  #watched = "";
  #told: OwnStatus = "online";
  #asked = 0;

  constructor(environment: Environment, transmit: (frame: ClientFrame) => void) {
    this.#environment = environment;
    this.#transmit = transmit;
  }

  watch(tab: string, accounts: readonly AccountId[], rooms: readonly RoomId[]): void {
    this.#tabs.set(tab, { accounts, rooms, status: this.#tabs.get(tab)?.status });
    this.#settle(SETTLE_MS);
  }

  /** @param text of the account: it stays, and without a connection it fails; absent: as it was */
  presence(tab: string, status: OwnStatus, text?: string): void {
    const known = this.#tabs.get(tab);
    this.#tabs.set(tab, { accounts: known?.accounts ?? [], rooms: known?.rooms ?? [], status });
    this.#settle(SETTLE_MS);
    if (text === undefined) return;
    if (!this.#live) throw unreachable(new Error("there is no connection"));
    this.#told = this.#status;
    this.#transmit({ type: "presence.set", status: this.#told, text });
  }

  /** A tab is closed. */
  gone(tab: string): void {
    if (this.#tabs.delete(tab)) this.#settle(SETTLE_MS);
  }

  /** Each session begins online, and watches nobody. */
  live(): void {
    this.#live = true;
    this.#told = "online";
    this.#watched = "";
    this.#tell();
  }

  lost(): void {
    this.#live = false;
  }

  /** Whether an error frame was about a watch; then it is asked for again. */
  refused(re: string | undefined, retryable: boolean): boolean {
    if (re !== `watch-${this.#asked}`) return false;
    this.#watched = "";
    if (retryable) this.#settle(RETRY_MS);
    return true;
  }

  #settle(ms: number): void {
    this.#stopTimer?.();
    this.#stopTimer = this.#environment.timer(() => this.#tell(), ms);
  }

  get #status(): OwnStatus {
    const statuses = [...this.#tabs.values()].map((tab) => tab.status).filter((status) => status !== undefined);
    return statuses.length === 0 || statuses.includes("online") ? "online" : "away";
  }

  #tell(): void {
    if (!this.#live) return;
    const accounts = distinct(this.#tabs, (tab) => tab.accounts).slice(0, MOST_ACCOUNTS);
    const rooms = distinct(this.#tabs, (tab) => tab.rooms).slice(0, MOST_ROOMS);
    const wanted = accounts.length + rooms.length === 0 ? "" : JSON.stringify([accounts, rooms]);
    if (wanted !== this.#watched) {
      this.#watched = wanted;
      this.#transmit({ type: "presence.watch", id: `watch-${++this.#asked}`, accounts, rooms });
    }
    if (this.#status !== this.#told) {
      this.#told = this.#status;
      this.#transmit({ type: "presence.set", status: this.#told });
    }
  }

  close(): void {
    this.#live = false;
    this.#stopTimer?.();
  }
}

function distinct(tabs: ReadonlyMap<string, Wishes>, part: (tab: Wishes) => readonly string[]): string[] {
  return [...new Set([...tabs.values()].flatMap(part))].sort();
}
