import { asConfabError } from "../http/error.ts";
import type { SignIn } from "../http/signIn.ts";
import { Backoff } from "../rules/backoff.ts";
import type { KeptOwed, KeptSession, Store } from "../store/store.ts";
import type { Environment } from "./environment.ts";
import { within } from "./within.ts";

const WRITE_MS = 2_000;

export interface OwingOptions {
  signIn: SignIn;
  store: Store;
  environment: Environment;
}

/**
 * A sign-in that was ended here without a server's knowledge. It is kept, and tried again and again, across
 * runs, until a server has ended it, too.
 */
export class Owing {
  readonly #options: OwingOptions;
  readonly #backoff: Backoff;
  #owed: KeptOwed | undefined;
  #failures = 0;
  #paying: Promise<void> | undefined;
  #stopTimer: (() => void) | undefined;
  #closed = false;

  constructor(options: OwingOptions, owed: KeptOwed | undefined) {
    this.#options = options;
    this.#backoff = new Backoff(options.environment.random);
    this.#owed = owed;
  }

  /** Done when it is kept; it is paid from now on. */
  async owe(owed: KeptOwed): Promise<void> {
    this.#failures = 0;
    await this.#keep(owed);
    void this.pay();
  }

  /** Tries at once; done when this try is over. Later ones follow by themselves. */
  pay(): Promise<void> {
    this.#stopTimer?.();
    if (this.#owed && !this.#closed) this.#paying ??= this.#try(this.#owed).finally(() => (this.#paying = undefined));
    return this.#paying ?? Promise.resolve();
  }

  async #try(owed: KeptOwed): Promise<void> {
    const error = await this.#options.signIn.end(owed, (renewed) => this.#keep(renewed)).then(() => undefined, asConfabError);
    if (this.#closed) return;
    // what a server refuses for good is not valid there any more
    if (!error?.retryable) return this.#keep(undefined);
    const wait = Math.max(error.retry_after_ms ?? 0, this.#backoff.delay(this.#failures++));
    this.#stopTimer = this.#options.environment.timer(() => void this.pay(), wait);
  }

  /** Somebody has signed in since: nothing is left of a cookie's sign-in, and of an earlier one on this device. */
  async replaced({ account_id }: KeptSession): Promise<void> {
    if (this.#owed && (this.#owed.refresh_token === undefined || this.#owed.account_id === account_id)) await this.#keep(undefined);
  }

  async #keep(owed: KeptOwed | undefined): Promise<void> {
    const { environment, store } = this.#options;
    this.#owed = owed;
    await within(environment, store.write({ owed }).catch(environment.report), WRITE_MS);
  }

  close(): void {
    this.#closed = true;
    this.#stopTimer?.();
  }
}
