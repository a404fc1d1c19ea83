import { ConfabError, type ErrorInfo } from "@confab/client";
import { t } from "../text/text.ts";
import { tell } from "../ui/toast.tsx";

/** What went wrong, in words that say what to do. */
export function faultText(error: unknown): string {
  if (!(error instanceof ConfabError) && !isInfo(error)) return t("fault.other", { message: String(error) });
  switch (error.code) {
    case "unreachable":
    case "unavailable":
    case "closed":
      return t("fault.offline");
    case "forbidden":
    case "unauthorized":
      return t("fault.forbidden");
    case "not_found":
    case "gone":
      return t("fault.notFound");
    case "encrypted":
      return t("sealed.hint");
    case "conflict":
      return t("fault.conflict");
    case "room_full":
      return t("fault.full");
    case "no_seat":
      return t("fault.noSeat");
    case "queue_full":
      return t("fault.queueFull");
    case "banned":
      return t("fault.banned");
    case "blocked":
      return t("fault.blocked");
    case "muted":
      return t("fault.messageMuted");
    case "too_large":
      return t("fault.messageTooLarge");
    case "precondition_failed":
      return t("fault.changed");
    case "rate_limited":
    case "slow_mode":
      return t("fault.limited", { n: Math.ceil((error.retry_after_ms ?? 1000) / 1000) });
    case "invalid_field":
      return t("fault.field", { field: error.field ?? "", message: error.message });
    default:
      return t("fault.other", { message: error.message });
  }
}

function isInfo(error: unknown): error is ErrorInfo {
  return typeof error === "object" && error !== null && "code" in error && "message" in error;
}

/** Whether the same may go well later. */
export function isRetryable(error: unknown): boolean {
  return error instanceof ConfabError && error.retryable;
}

/** Does something, and tells in words what went wrong. Answers whether it went well. */
export async function attempt(what: () => Promise<unknown>): Promise<boolean> {
  try {
    await what();
    return true;
  } catch (error) {
    tell(faultText(error), undefined, 8000);
    return false;
  }
}
