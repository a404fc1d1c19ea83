const undecided = new Set<(really: boolean) => Promise<void>>();

/** Does something after a while, or when the page is left. Answers what takes it back until then. */
export function undoable(act: (really: boolean) => Promise<unknown>, ms: number): () => void {
  const decide = async (really: boolean) => {
    if (!undecided.delete(decide)) return;
    clearTimeout(timer);
    window.removeEventListener("pagehide", leave, true);
    await act(really);
  };
  const leave = () => void decide(true);
  const timer = setTimeout(leave, ms);
  // before the client keeps what it has, for the next run to go on with
  window.addEventListener("pagehide", leave, true);
  undecided.add(decide);
  return () => void decide(false);
}

/** Does all of it now. Answers whether it was done within this time. */
export async function decideAll(ms: number): Promise<boolean> {
  if (undecided.size === 0) return true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((done) => (timer = setTimeout(() => done(false), ms)));
  const all = Promise.all([...undecided].map((decide) => decide(true))).then(() => true);
  const done = await Promise.race([all, late]);
  clearTimeout(timer);
  return done;
}
