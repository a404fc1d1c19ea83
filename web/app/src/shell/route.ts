import { signal } from "@preact/signals";

/** A room, and perhaps a message of it. Each time somebody goes there it is another object. */
export type Place = { name: "room"; room: string; seq?: number | undefined };

export type Route =
  | { name: "home" }
  | Place
  | { name: "invite"; code: string };

/** Reads the part of the address after `#`; what it does not know is home. */
export function parseRoute(hash: string): Route {
  const parts = hash.replace(/^#?\/?/, "").split("/").map(decoded);
  if (parts[0] === "rooms" && parts[1]) {
    const seq = Number(parts[2]);
    return { name: "room", room: parts[1], seq: Number.isSafeInteger(seq) && seq > 0 ? seq : undefined };
  }
  if (parts[0] === "invite" && parts[1]) return { name: "invite", code: parts[1] };
  return { name: "home" };
}

export function hashOf(route: Route): string {
  switch (route.name) {
    case "home":
      return "#/";
    case "room":
      return `#/rooms/${encodeURIComponent(route.room)}${route.seq ? `/${route.seq}` : ""}`;
    case "invite":
      return `#/invite/${encodeURIComponent(route.code)}`;
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

export const route = signal<Route>(parseRoute(typeof location === "undefined" ? "" : location.hash));

if (typeof window !== "undefined") {
  const take = () => {
    route.value = parseRoute(location.hash);
  };
  window.addEventListener("hashchange", take);
  // To go where one is already changes no address, and is no change of the hash.
  window.addEventListener("popstate", () => {
    if (hashOf(route.value) === location.hash) take();
  });
}

/** Goes to a place of the client. */
export function go(to: Route, replace = false): void {
  const hash = hashOf(to);
  if (replace) {
    history.replaceState(null, "", hash);
    route.value = to;
  } else if (location.hash === hash) {
    route.value = to;
  } else {
    location.hash = hash;
  }
}
