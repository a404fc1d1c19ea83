import type { Environment } from "./environment.ts";

/** Done when the work is, or has failed, or after so long. */
export async function within({ timer }: Environment, work: Promise<unknown>, ms: number): Promise<void> {
  await new Promise<void>((done) => {
    const stop = timer(done, ms);
    void work.then(
      () => undefined,
      () => undefined,
    ).then(() => {
      stop();
      done();
    });
  });
}
