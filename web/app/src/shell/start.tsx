import { effect } from "@preact/signals";
import { render } from "preact";
import { openClient } from "@confab/client";
import { session, showClient } from "../session/state.ts";
import { t } from "../text/text.ts";
import { tell } from "../ui/toast.tsx";
import { App } from "./App.tsx";
import { extras } from "./lazy.tsx";
import { applyPrefs } from "./prefs.ts";
import { deviceName } from "./device.ts";

/** Opens the client and draws it. */
export async function start(): Promise<void> {
  await applyPrefs();
  const client = await openClient({
    device: { name: deviceName(navigator.userAgent), platform: "web" },
    notKept: () => tell(t("app.notKept"), undefined, 15_000),
  });
  showClient(client);
  render(<App />, document.getElementById("app")!);
  // Who only looks at the form for signing in loads no more than that.
  const end = effect(() => {
    if (session.value.state !== "signed_in") return;
    setTimeout(startLater, 500);
    setTimeout(() => end());
  });
}

/** The rest is there before it is asked for, and then also without a network. */
function startLater(): void {
  // Without one the client works as well, but does not open without a network.
  void navigator.serviceWorker?.register("/sw.js").catch(() => undefined);
  extras().then(
    ({ beginAll, countInTitle, startNotifying, watchForUpdates }) => beginAll([countInTitle, watchForUpdates, startNotifying]),
    () => setTimeout(startLater, 10_000),
  );
}
