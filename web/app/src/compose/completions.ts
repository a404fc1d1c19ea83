import { completed, completing, type Completing } from "./completion.ts";
import type { Suggestion } from "./suggestions.ts";

/** What can complete the text before the caret. It is of the text as it is now: a key that comes next takes nothing of the text before. */
export class Completions {
  readonly #find: (at: Completing) => readonly Suggestion[];
  #at: Completing | undefined;
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
    const at = completing(text, caret);
    const same = at !== undefined && at.from === this.#at?.from && at.query === this.#at.query;
    const chosen = same && this.#chosen > 0 ? this.#found[this.#chosen] : undefined;
    const before = this.#found;
    this.#at = at;
    this.#found = at ? this.#find(at) : [];
    this.#chosen = Math.max(0, this.#found.findIndex((one) => one.insert === chosen?.insert));
    return before.length > 0 || this.#found.length > 0;
  }

  close(): boolean {
    return this.look("", 0);
  }

  step(by: 1 | -1): void {
    this.#chosen = (this.#chosen + by + this.#found.length) % this.#found.length;
  }

  /** The text with one of the suggestions in it, and where the caret stands then. */
  take(text: string, suggestion = this.#found[this.#chosen]): { text: string; caret: number } | undefined {
    return this.#at && suggestion && completed(text, this.#at, suggestion.insert);
  }
}
