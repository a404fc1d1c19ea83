// Compiles under --strict only while every kind of event and message can be told from the others.
import type { components } from "./confab";

type Schemas = components["schemas"];

export function text(message: Schemas["Message"]): string {
  return "deleted_at" in message ? `deleted by ${message.deleted_by}` : message.body;
}

export function line(event: Schemas["Event"]): string {
  if (event.type === "message.receive") {
    return text(event);
  }
  switch (event.kind) {
    case "message.edited":
      return text(event.message);
    case "message.deleted":
      return `${event.seq} deleted by ${event.deleted_by}`;
    case "member.joined":
      return `${event.account_id} joined`;
    case "member.left":
      return `${event.account_id} left: ${event.reason}`;
    case "members":
      return `${event.joined} joined, ${event.left} left`;
    case "member.role":
      return `${event.account_id} is ${event.role}`;
    case "member.muted":
      return `${event.account_id} muted until ${event.until ?? "now"}`;
    case "room.changed":
      return `now ${event.settings.name ?? "as before"}`;
    case "room.archived":
      return `archived by ${event.actor_id}`;
    case "sealed":
      return `${event.seq} by ${event.actor_id}, for the devices of members`;
    case "hidden":
      return `${event.rev} hidden`;
    default: {
      const never: never = event;
      return never;
    }
  }
}
