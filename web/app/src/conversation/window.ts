/**
 * What of a room's log is in the page: an unbroken run of messages, at most {@link WINDOW} of them.
 * Pages join at either end; what falls off the other end is read again when it is needed.
 */
export const WINDOW = 400;
/** How many stay when the run has become too long; fewer than WINDOW, so that not each message cuts. */
const KEPT = 320;

export interface Numbered {
  seq: number;
}

export interface Run<M extends Numbered> {
  readonly messages: readonly M[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

export interface Page<M extends Numbered> {
  messages: readonly M[];
  has_older: boolean;
  has_newer: boolean;
}

/** Nothing is known yet. */
export const EMPTY: Run<never> = { messages: [], hasOlder: true, hasNewer: false };

/** A run that begins with a page. */
export function opened<M extends Numbered>(page: Page<M>): Run<M> {
  return { messages: page.messages, hasOlder: page.has_older, hasNewer: page.has_newer };
}

/** Joins a page of older messages to the top, and lets go of the newest where there are too many. */
export function withOlder<M extends Numbered>(run: Run<M>, page: Page<M>): Run<M> {
  const first = run.messages[0];
  const older = first ? page.messages.filter((m) => m.seq < first.seq) : page.messages;
  const messages = [...older, ...run.messages];
  if (messages.length <= WINDOW) return { ...run, messages, hasOlder: page.has_older };
  return { messages: messages.slice(0, KEPT), hasOlder: page.has_older, hasNewer: true };
}

/** Joins a page of newer messages to the bottom, and lets go of the oldest where there are too many. */
export function withNewer<M extends Numbered>(run: Run<M>, page: Page<M>): Run<M> {
  const last = run.messages.at(-1);
  const newer = last ? page.messages.filter((m) => m.seq > last.seq) : page.messages;
  return cutTop({ ...run, messages: [...run.messages, ...newer], hasNewer: page.has_newer });
}

/**
 * Puts messages that came, or changed, into the run. A new one joins only where the run reaches to the
 * newest; else it stays outside and `hasNewer` says so. One before the first joins where nothing older is
 * to be read: what was acknowledged may stand before what was said earlier. `stay` keeps the oldest, for
 * who reads there.
 */
export function withLive<M extends Numbered>(run: Run<M>, changes: readonly M[], stay: boolean): Run<M> {
  let messages: M[] | undefined;
  let hasNewer = run.hasNewer;
  for (const change of changes) {
    const now: readonly M[] = messages ?? run.messages;
    const last = now.at(-1);
    if (!last || change.seq > last.seq) {
      if (hasNewer) continue;
      if (stay && now.length >= WINDOW) {
        hasNewer = true;
        continue;
      }
      messages = [...now, change];
    } else {
      const at = find(now, change.seq);
      if (at >= 0 && now[at] !== change) {
        messages = [...now];
        messages[at] = change;
      } else if (at < 0 && (change.seq > now[0]!.seq || !run.hasOlder)) {
        messages = [...now.slice(0, ~at), change, ...now.slice(~at)];
      }
    }
  }
  if (!messages) return hasNewer === run.hasNewer ? run : { ...run, hasNewer };
  return cutTop({ ...run, messages, hasNewer });
}

function cutTop<M extends Numbered>(run: Run<M>): Run<M> {
  if (run.messages.length <= WINDOW) return run;
  return { ...run, messages: run.messages.slice(-KEPT), hasOlder: true };
}

/** Where a seq stands in the run, or the complement of where it would. */
export function find(messages: readonly Numbered[], seq: number): number {
  let low = 0;
  let high = messages.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = messages[middle]!.seq;
    if (at === seq) return middle;
    if (at < seq) low = middle + 1;
    else high = middle - 1;
  }
  return ~low;
}
