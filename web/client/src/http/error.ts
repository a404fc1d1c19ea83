import type { ErrorInfo } from "../model/views.ts";
import type { ErrorCode } from "../protocol/values.ts";

/**
 * What went wrong without a server's word. `unreachable`: no server answered, the outcome is unknown.
 * `closed`: the client was closed or has stopped, the outcome is unknown. `queue_full`: too many sends, or
 * too many bytes of them, wait. `not_kept`: the store on this machine failed.
 */
export type LocalCode = "unreachable" | "closed" | "queue_full" | "not_kept";

/** A refusal of the server, or the failure to reach one. */
export class ConfabError extends Error {
  /** Others may come from newer servers. */
  readonly code: ErrorCode | LocalCode;
  /** The field at fault: `body`, `device.name`, `members[3]`. */
  readonly field?: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  readonly retry_after_ms?: number;
  /** Of HTTP; 0 where there was no answer over HTTP. */
  readonly status: number;
  /** Leads to the server's log. */
  readonly request_id?: string;

  constructor(info: ErrorInfo) {
    super(info.message);
    this.name = "ConfabError";
    this.code = info.code;
    this.retryable = info.retryable;
    this.status = info.status ?? 0;
    if (info.field !== undefined) this.field = info.field;
    if (info.retry_after_ms !== undefined) this.retry_after_ms = info.retry_after_ms;
    if (info.request_id !== undefined) this.request_id = info.request_id;
  }

  /** Without its class, as it goes from tab to tab and into stores. */
  get info(): ErrorInfo {
    const { code, message, retryable, status, field, retry_after_ms, request_id } = this;
    return {
      code,
      message,
      retryable,
      status,
      ...(field !== undefined && { field }),
      ...(retry_after_ms !== undefined && { retry_after_ms }),
      ...(request_id !== undefined && { request_id }),
    };
  }
}

/** No server answered. */
export function unreachable(cause: unknown): ConfabError {
  const why = cause instanceof Error && cause.message ? `: ${cause.message}` : "";
  return new ConfabError({ code: "unreachable", message: `no server answered${why}`, retryable: true });
}

/** The client was closed, or has stopped. */
export function closed(why: string): ConfabError {
  return new ConfabError({ code: "closed", message: why, retryable: false });
}

/** What a failure is as `ConfabError`; one that is none is taken as `unreachable`. */
export function asConfabError(failure: unknown): ConfabError {
  return failure instanceof ConfabError ? failure : unreachable(failure);
}

/** The error that a server, or a proxy before it, answered. */
export function readError(body: unknown, status: number): ConfabError {
  const error = ((body as { error?: Partial<ErrorInfo> } | undefined)?.error ?? {}) as Partial<ErrorInfo>;
  const serversFault = status >= 500;
  return new ConfabError({
    code: typeof error.code === "string" ? error.code : serversFault ? "unavailable" : "internal",
    message: typeof error.message === "string" ? error.message : `status ${status}`,
    retryable: typeof error.retryable === "boolean" ? error.retryable : serversFault,
    status,
    ...(typeof error.field === "string" && { field: error.field }),
    ...(typeof error.retry_after_ms === "number" && { retry_after_ms: error.retry_after_ms }),
    ...(typeof error.request_id === "string" && { request_id: error.request_id }),
  });
}
