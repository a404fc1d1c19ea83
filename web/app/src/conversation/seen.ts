/**
 * How far somebody has read without a gap. Only what was on the screen of a focused tab counts, and only
 * where it follows what was read before: a jump to the newest leaves what lies between unread.
 */
export class Seen {
  #read: number;
  #shown: { first: number; last: number } | undefined;

  constructor(read: number) {
    this.#read = read;
  }

  get read(): number {
    return this.#read;
  }

  /** Another session of the account has read further. */
  readElsewhere(seq: number): void {
    this.#read = Math.max(this.#read, seq);
  }

  /** Marked unread: what comes from there is to be seen again. */
  unreadFrom(seq: number): void {
    this.#read = Math.min(this.#read, seq - 1);
    this.#shown = undefined;
  }

  /** The view was put elsewhere, not scrolled: what lies between was not seen. */
  jumped(): void {
    this.#shown = undefined;
  }

  /** These are on the screen. Answers how far is read when that has moved. */
  shows(first: number, last: number): number | undefined {
    const from = this.#shown ? Math.min(first, this.#shown.last + 1) : first;
    this.#shown = { first, last };
    if (from > this.#read + 1 || last <= this.#read) return undefined;
    this.#read = last;
    return last;
  }
}
