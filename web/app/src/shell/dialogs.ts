import { signal } from "@preact/signals";
import type { Line } from "../log/types.ts";

/** What is open over the page; one at a time, with a question above it. */
export type Open =
  | { name: "settings" }
  | { name: "keys" }
  | { name: "switcher" }
  | { name: "find" }
  | { name: "create" }
  | { name: "direct" }
  | { name: "versions"; room: string; line: Line }
  | { name: "readers"; room: string; line: Line };

export interface Question {
  text: string;
  /** What the button says that does it. */
  does: string;
  danger?: boolean;
  /** Asks for a line of text, too. */
  input?: string;
  answer: (text: string | undefined) => void;
}

export const dialog = signal<Open | undefined>(undefined);
export const question = signal<Question | undefined>(undefined);
/** The room whose details stand beside the conversation. */
export const panel = signal<string | undefined>(undefined);

export function open(what: Open): void {
  dialog.value = what;
}

export function close(): void {
  dialog.value = undefined;
}

/** Asks before something is done. Answers the text that was given (empty where none was asked for), or nothing. */
export function ask(what: Omit<Question, "answer">): Promise<string | undefined> {
  return new Promise((resolve) => {
    question.value = {
      ...what,
      answer: (text) => {
        question.value = undefined;
        resolve(text);
      },
    };
  });
}
