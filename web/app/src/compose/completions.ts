import { completed, completing, type Completing } from "./completion.ts";
import type { Suggestion } from "./suggestions.ts";

/** What can complete the text before the caret. It is of the text as it is now: a key that comes next takes nothing of the text before. */
export class Completions {
  readonly #find: (at: Completing) => readonly Suggestion[];
  #at: Completing | undefined;
  #closed: Completing | undefined;
  #found: readonly Suggestion[] = [];
  #chosen = 0;

  constructor(find: (at: Completing) => readonly Suggestion[]) {
    this.#find = find;
  }

  get found(): readonly Suggestion[] {
    return this.#found;
  }

  get chosen(): number {
    return this.#chosen;
  }

  /** Answers whether another list is to be drawn. What was chosen by arrows stays chosen while the same is being completed. */
  look(text: string, caret: number): boolean {
    const now = completing(text, caret);
    if (!isSame(now, this.#closed)) this.#closed = undefined;
    const at = this.#closed ? undefined : now;
    const chosen = isSame(at, this.#at) && this.#chosen > 0 ? this.#found[this.#chosen] : undefined;
    const before = this.#found;
    this.#at = at;
    this.#found = at ? this.#find(at) : [];
    this.#chosen = Math.max(0, this.#found.findIndex((one) => one.insert === chosen?.insert));
    return before.length > 0 || this.#found.length > 0;
  }

  /** Answers the same. It stays closed while the same is being completed, also when more names arrive. */
  close(): boolean {
    const at = this.#at ?? this.#closed;
    const drawn = this.look("", 0);
    this.#closed = at;
    return drawn;
  }

  step(by: 1 | -1): void {
    this.#chosen = (this.#chosen + by + this.#found.length) % this.#found.length;
  }

  /** The text with one of the suggestions in it, and where the caret stands then. */
  take(text: string, suggestion = this.#found[this.#chosen]): { text: string; caret: number } | undefined {
    return this.#at && suggestion && completed(text, this.#at, suggestion.insert);
  }
}

function isSame(one: Completing | undefined, other: Completing | undefined): boolean {
  return one?.from === other?.from && one?.query === other?.query;
}
