import type { ErrorInfo } from "@confab/client";

/** How far a message of one's own has come. */
export type State = "sending" | "sent" | "delivered" | "read" | "failed";

/** A message as the log shows it, whether the server has confirmed it or not. */
export interface Line {
  /** Stays when the message is confirmed: its sender and what its client called it. */
  key: string;
  /** Absent until it is confirmed. */
  seq?: number | undefined;
  sender_id: string;
  client_id: string;
  body?: string | undefined;
  ts: number;
  reply_to?: number | undefined;
  topic?: string | undefined;
  mentions?: readonly string[] | undefined;
  edited_at?: number | undefined;
  deleted_at?: number | undefined;
  deleted_by?: string | undefined;
  /** Not confirmed: whether it still tries, and what stands against it. */
  state?: "sending" | "failed" | undefined;
  fault?: ErrorInfo | undefined;
  /** When it is sent again, where the server said so. */
  retryAt?: number | undefined;
}

export interface Person {
  account_id: string;
  handle: string;
  display_name: string;
}
