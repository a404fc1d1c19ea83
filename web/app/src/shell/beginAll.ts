/** Begins one after the other, and answers what ends them. What fails, of want of something in this browser, stops no other. */
export function beginAll(begins: readonly (() => (() => void) | void)[]): () => void {
  const ends: (() => void)[] = [];
  for (const begin of begins) {
    try {
      const end = begin();
      if (end) ends.push(end);
    } catch (error) {
      console.error(error);
    }
  }
  return () => ends.forEach((end) => end());
}
