import { effect } from "@preact/signals";
import { forgets } from "../session/forget.ts";
import { client, connection, rooms, selfId } from "../session/state.ts";
import { keep, kept } from "../shell/kept.ts";

const IDLE_MS = 5 * 60_000;
const BEAT_MS = 20_000;
const KEY = "confab.active";
const AWAY_KEY = "confab.away";

forgets((forGood) => {
  keep(KEY, null);
  if (forGood) keep(AWAY_KEY, null);
});

/** Watches those whom the room list shows, the account itself among them, and tells whether the person is there. Answers what ends both. */
export function watchPresence(): () => void {
  const ends = [watchPeers(), tellActivity()];
  return () => ends.forEach((end) => end());
}

function watchPeers(): () => void {
  let watched = "";
  let stop = () => {};
  const end = effect(() => {
    // One's own status may be set elsewhere, too.
    const self = selfId();
    const others = [...rooms.value.values()].flatMap(({ room }) => (room.type === "direct" ? [room.peer_id] : []));
    const peers = [...(self ? [self] : []), ...others.slice(0, 900)];
    const key = peers.sort().join();
    if (key === watched) return;
    watched = key;
    stop();
    stop = client().watch({ accounts: peers });
  });
  return () => {
    end();
    stop();
  };
}

/** Whether somebody chose to be shown as away. */
export function choseAway(): boolean {
  return kept(AWAY_KEY) === "1";
}

export function chooseAway(away: boolean): void {
  keep(AWAY_KEY, away ? "1" : null);
  client().setPresence(away ? "away" : "online");
}

/** Away after some minutes in which no tab saw the person do anything, and back at the first sign. */
function tellActivity(): () => void {
  let told: "away" | "online" = "online";
  let last = Date.now();
  const tell = () => {
    const shared = Number(kept(KEY) ?? 0);
    const idle = Date.now() - Math.max(last, shared) > IDLE_MS;
    const status = idle || choseAway() ? "away" : "online";
    if (status === told) return;
    told = status;
    client().setPresence(status);
  };
  const active = () => {
    const now = Date.now();
    if (now - last > BEAT_MS / 2 || told === "away") {
      last = now;
      keep(KEY, String(now));
      tell();
    }
    last = now;
  };
  const signs = ["pointerdown", "keydown", "wheel", "focus", "pointermove"];
  for (const sign of signs) window.addEventListener(sign, active, { passive: true });
  const timer = setInterval(tell, BEAT_MS);
  const end = effect(() => {
    // Each session begins as online.
    if (connection.value.state === "live") {
      told = "online";
      tell();
    }
  });
  return () => {
    for (const sign of signs) window.removeEventListener(sign, active);
    clearInterval(timer);
    end();
  };
}
