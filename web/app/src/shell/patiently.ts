const FIRST_PAUSE_MS = 500;
const PAUSES = 3;

/** Tries a few times to load something; a network that is away is often back in a moment. */
export async function patiently<T>(load: () => Promise<T>, pause = (ms: number) => new Promise((done) => setTimeout(done, ms))): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await load();
    } catch (failure) {
      if (failures >= PAUSES) throw failure;
      await pause(FIRST_PAUSE_MS * 2 ** failures);
    }
  }
}
