import { render } from "preact";
import { openClient } from "@confab/client";
import { showClient } from "../session/state.ts";
import { App } from "./App.tsx";
import { extras } from "./lazy.tsx";
import { applyPrefs } from "./prefs.ts";
import { countInTitle } from "./title.ts";
import { deviceName } from "./device.ts";

/** Opens the client and draws it. */
export async function start(): Promise<void> {
  await applyPrefs();
  const client = await openClient({ device: { name: deviceName(navigator.userAgent), platform: "web" } });
  showClient(client);
  render(<App />, document.getElementById("app")!);
  countInTitle();
  setTimeout(startLater, 500);
  // Without one the client works as well, but does not open without a network.
  void navigator.serviceWorker?.register("/sw.js").catch(() => undefined);
}

/** The rest is there before it is asked for, and then also without a network. */
function startLater(): void {
  extras().then(
    (later) => {
      later.startNotifying();
      later.watchForUpdates();
    },
    () => setTimeout(startLater, 10_000),
  );
}
