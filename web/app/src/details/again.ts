import { ConfabError } from "@confab/client";

const MOST_DOUBLINGS = 4;

type Timer = (work: () => void, ms: number) => () => void;

const timeout: Timer = (work, ms) => {
  const id = setTimeout(work, ms);
  return () => clearTimeout(id);
};

/**
 * Reads at once, and again and again until the answer is called: after longer and longer while it fails,
 * and no more once it is refused for good, which is told.
 */
export function again(read: () => Promise<unknown>, ms: number, refused: (error: unknown) => void, timer = timeout): () => void {
  let over = false;
  let stop = () => {};
  const next = async (failures: number) => {
    const error = await read().then(
      () => undefined,
      (failure: unknown) => failure,
    );
    if (over) return;
    if (error instanceof ConfabError && !error.retryable) return refused(error);
    const asked = error instanceof ConfabError ? (error.retry_after_ms ?? 0) : 0;
    const count = error === undefined ? 0 : failures + 1;
    stop = timer(() => void next(count), Math.max(asked, ms * 2 ** Math.min(count, MOST_DOUBLINGS)));
  };
  void next(0);
  return () => {
    over = true;
    stop();
  };
}
