import { useState } from "preact/hooks";
import { close } from "../shell/dialogs.ts";
import { t } from "../text/text.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Blocked, Drafts } from "./Lists.tsx";
import { Devices } from "./Devices.tsx";
import { Look, Notifications } from "./Look.tsx";
import { Password, Privacy, Profile, Remove } from "./Account.tsx";
import { signOut } from "./signOut.ts";

/** What a person may choose about themselves, this browser and their devices. */
export function Settings() {
  const [busy, setBusy] = useState(false);
  return (
    <Dialog title={t("settings.title")} kind="wide" onClose={close}>
      {/* above everything that comes later and would move it from under a pointer */}
      <section class="settings-section">
        <div>
          <button
            type="button"
            class="button"
            disabled={busy}
            onClick={async () => {
              setBusy(true);
              await signOut();
              setBusy(false);
            }}
          >
            {t("sign.out")}
          </button>
        </div>
      </section>
      <Profile />
      <Look />
      <Notifications />
      <Privacy />
      <Drafts />
      <Blocked />
      <Devices />
      <Password />
      <section class="settings-section">
        <Remove />
      </section>
    </Dialog>
  );
}
