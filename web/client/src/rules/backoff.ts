import type { ErrorInfo } from "../model/views.ts";

const DOUBLINGS = 20;
const READ_AGAIN_MS = 1_000;

/**
 * How long to wait before the next try: a span that doubles with each failure in a row, up to a bound. The
 * first wait is drawn from the whole span, the later ones from its upper half, so that clients that failed
 * together do not come back together.
 */
export class Backoff {
  static readonly FIRST_MS = 500;
  static readonly LONGEST_MS = 30_000;

  readonly #random: () => number;

  /** @param random from 0 to 1 */
  constructor(random: () => number) {
    this.#random = random;
  }

  /**
   * In whole milliseconds.
   *
   * @param failures tries in a row that failed before the last one
   */
  delay(failures: number): number {
    const span = Math.min(Backoff.LONGEST_MS, Backoff.FIRST_MS * 2 ** Math.min(failures, DOUBLINGS));
    const least = failures === 0 ? 0 : span / 2;
    return Math.round(least + this.#random() * (span - least));
  }
}

/** How long to wait before a read is made again. @param failures in a row, before this one */
export function readAgain(failures: number, error: Pick<ErrorInfo, "retry_after_ms"> | undefined): number {
  return Math.max(error?.retry_after_ms ?? 0, Math.min(Backoff.LONGEST_MS, READ_AGAIN_MS * 2 ** Math.min(failures, DOUBLINGS)));
}
