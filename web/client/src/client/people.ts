import type { ConfabApi } from "../http/api.ts";
import { asConfabError } from "../http/error.ts";
import type { Model } from "../model/model.ts";
import type { Account } from "../protocol/things.ts";
import type { AccountId } from "../protocol/values.ts";
import type { Environment } from "./environment.ts";

const TOGETHER_MS = 20;
const MOST_TOGETHER = 100;
const MOST_AGAIN = 200;
const RETRY_MS = 5_000;

/** Names of accounts: what is not known is asked for, many together. */
export class People {
  readonly #model: Model;
  readonly #api: ConfabApi;
  readonly #environment: Environment;
  readonly #found: (accounts: readonly Account[]) => void;
  /** Asked for, or to be; what is not found is not asked for again on this connection. */
  readonly #asked = new Set<AccountId>();
  readonly #used = new Set<AccountId>();
  #waiting: AccountId[] = [];
  #due = false;

  constructor(model: Model, api: ConfabApi, environment: Environment, found: (accounts: readonly Account[]) => void) {
    this.#model = model;
    this.#api = api;
    this.#environment = environment;
    this.#found = found;
  }

  get(account_id: AccountId): Account | undefined {
    const known = this.#model.people.value.get(account_id);
    this.#used.delete(account_id);
    this.#used.add(account_id);
    for (const oldest of this.#used) {
      if (this.#used.size <= MOST_AGAIN) break;
      this.#used.delete(oldest);
    }
    if (!known) this.#ask(account_id);
    return known;
  }

  /** Nobody is signed in any more. */
  forget(): void {
    this.#asked.clear();
    this.#used.clear();
    this.#waiting = [];
  }

  /** Names may have changed unnoticed: those used last are asked for again. */
  refresh(): void {
    this.#asked.clear();
    for (const account_id of this.#used) this.#ask(account_id);
  }

  #ask(account_id: AccountId): void {
    if (account_id === "" || this.#asked.has(account_id)) return;
    this.#asked.add(account_id);
    this.#waiting.push(account_id);
    if (this.#due) return;
    this.#due = true;
    this.#environment.timer(() => void this.#send(), TOGETHER_MS);
  }

  /** Nobody knows when they are shown next. Without a connection it is time enough when there is one. */
  #again(ids: readonly AccountId[], retryable: boolean): void {
    const now = retryable && this.#model.connection.value.state === "live";
    for (const id of ids) {
      this.#asked.delete(id);
      if (now && this.#used.has(id)) this.#ask(id);
    }
  }

  async #send(): Promise<void> {
    this.#due = false;
    while (this.#waiting.length > 0) {
      const ids = this.#waiting.splice(0, MOST_TOGETHER);
      try {
        const { accounts } = await this.#api.ask("findAccounts", { ids: ids.join(",") });
        for (const { account_id } of accounts) this.#asked.delete(account_id);
        if (accounts.length > 0) this.#found(accounts);
      } catch (failure) {
        const { retryable, retry_after_ms } = asConfabError(failure);
        this.#environment.timer(() => this.#again(ids, retryable), Math.max(RETRY_MS, retry_after_ms ?? 0));
      }
    }
  }
}
