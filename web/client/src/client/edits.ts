import type { ConfabApi } from "../http/api.ts";
import { asConfabError, closed } from "../http/error.ts";
import type { Change } from "../model/change.ts";
import type { PendingEdit } from "../model/views.ts";
import { isTombstone, type Message, type MessageDeleted } from "../protocol/things.ts";
import type { Backoff } from "../rules/backoff.ts";
import type { Environment } from "./environment.ts";

export interface EditsOptions {
  api: ConfabApi;
  environment: Environment;
  backoff: Backoff;
  publish: (changes: readonly Change[]) => void;
}

interface Entry {
  readonly edit: PendingEdit;
  readonly settled: Promise<void>;
  /** Ends its pause. */
  wake: () => void;
}

/**
 * Edits and deletions that are not settled. Each is tried until a server takes or refuses it, those of one
 * message one after the other; an edit that waits gives way to a later one.
 */
export class Edits {
  readonly #options: EditsOptions;
  /** The last one of each message. */
  readonly #last = new Map<string, Entry>();
  #closed = false;

  constructor(options: EditsOptions) {
    this.#options = options;
  }

  /** Done when it is settled, whether by this call or an earlier one; fails as the server refuses it. */
  add(edit: PendingEdit): Promise<void> {
    const key = `${edit.room_id}/${edit.seq}`;
    const before = this.#last.get(key);
    if (before && before.edit.client_id === edit.client_id && before.edit.body === edit.body) return before.settled;
    const entry: Entry = { edit, wake: () => undefined, settled: Promise.resolve().then(() => this.#settle(key, entry, before)) };
    this.#last.set(key, entry);
    before?.wake();
    this.#options.publish([{ kind: "editing", edit }]);
    return entry.settled;
  }

  /** There is a connection, or a new sign-in: all that wait are tried at once. */
  wake(): void {
    for (const entry of this.#last.values()) entry.wake();
  }

  async #settle(key: string, entry: Entry, before: Entry | undefined): Promise<void> {
    await before?.settled.catch(() => undefined);
    const { edit } = entry;
    const { publish } = this.#options;
    const isLast = (): boolean => this.#last.get(key) === entry;
    try {
      for (let failures = 0; edit.body === undefined || isLast(); failures++) {
        if (this.#closed) throw closed("the client is closed");
        const answer = await this.#ask(edit).catch(asConfabError);
        if (!(answer instanceof Error)) return publish([update(answer)]);
        if (edit.body === undefined && answer.code === "gone") return;
        const isOver = answer.code === "unauthorized"; // somebody may sign in again
        if (!isOver && !answer.retryable) throw answer;
        await this.#pause(entry, isOver ? Infinity : Math.max(answer.retry_after_ms ?? 0, this.#options.backoff.delay(failures)));
      }
    } finally {
      if (isLast()) this.#last.delete(key);
      if (!this.#closed) publish([{ kind: "edit_settled", edit }]);
    }
  }

  #ask({ room_id, seq, body, client_id }: PendingEdit): Promise<Message> {
    const { api } = this.#options;
    return body === undefined || client_id === undefined
      ? api.ask("deleteMessage", { room_id, seq })
      : api.ask("editMessage", { room_id, seq, body: { client_id, body } });
  }

  #pause(entry: Entry, ms: number): Promise<void> {
    return new Promise((done) => {
      const stop = ms === Infinity ? undefined : this.#options.environment.timer(done, ms);
      entry.wake = () => {
        stop?.();
        done();
      };
    });
  }

  /** Nothing more is tried, or told. */
  close(): void {
    this.#closed = true;
    this.wake();
  }
}

/** A message as a call answered it: its event follows, and shows nothing new then. */
function update(message: Message): Change {
  if (!isTombstone(message)) return { kind: "update", update: { kind: "edited", message } };
  const { room_id, seq, changed_rev: rev, deleted_at: ts, deleted_by } = message;
  const event: MessageDeleted = {
    type: "room.event",
    kind: "message.deleted",
    room_id,
    rev,
    epoch: 0,
    actor_id: deleted_by,
    ts,
    seq,
    deleted_by,
  };
  return { kind: "update", update: { kind: "deleted", event } };
}
