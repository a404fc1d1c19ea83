import type { HttpCalls } from "./calls.ts";
import { type AnswerOf, type Input, type Operation, ROUTES } from "./operations.ts";
import type { SignIn } from "./signIn.ts";

/** The most that a server puts on a page. */
const PAGE = 200;

/** A list that comes in pages. */
export type Listing = { [K in Operation]: AnswerOf<K> extends { next?: string } ? K : never }[Operation];

type Things<K extends Listing> = {
  [F in keyof AnswerOf<K>]-?: NonNullable<AnswerOf<K>[F]> extends (infer T)[] ? T : never;
}[keyof AnswerOf<K>];

/** The server's HTTP calls, in the account's name where they need one. Each fails with `ConfabError`. */
export class ConfabApi {
  readonly #calls: HttpCalls;
  readonly #signIn: SignIn;

  constructor(calls: HttpCalls, signIn: SignIn) {
    this.#calls = calls;
    this.#signIn = signIn;
  }

  /**
   * Makes a call. Access tokens are renewed on the way; what may be repeated is, where its answer was lost.
   *
   * @param input what goes into path and query, and `body`
   */
  ask<K extends Operation>(operation: K, input: Input<K>, signal?: AbortSignal): Promise<AnswerOf<K>> {
    return ROUTES[operation].open
      ? this.#calls.make(operation, input, undefined, signal)
      : this.#signIn.call((authorization) => this.#calls.make(operation, input, authorization, signal));
  }

  /** All pages of a list, `most` things at most. */
  async all<K extends Listing>(operation: K, input: Input<K>, most = Infinity): Promise<Things<K>[]> {
    const all: Things<K>[] = [];
    let next: string | undefined;
    do {
      const limit = Math.min(PAGE, most - all.length);
      const page = await this.ask(operation, { ...input, limit, ...(next !== undefined && { after: next }) });
      const things = Object.values(page as object).find(Array.isArray) as Things<K>[];
      all.push(...things);
      next = (page as { next?: string }).next;
    } while (next !== undefined && all.length < most);
    return all;
  }
}
