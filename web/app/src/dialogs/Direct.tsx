import { useState } from "preact/hooks";
import { writeTo } from "../people/direct.ts";
import { accountOf } from "../people/lookup.ts";
import { faultText } from "../session/faults.ts";
import { selfId } from "../session/state.ts";
import { close } from "../shell/dialogs.ts";
import { t } from "../text/text.ts";
import { Dialog } from "../ui/Dialog.tsx";

/** Writes to somebody by their handle. */
export function Direct() {
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const handle = String(new FormData(event.currentTarget as HTMLFormElement).get("handle") ?? "").trim().replace(/^@/, "");
    setBusy(true);
    setFault(undefined);
    try {
      const id = await accountOf(handle);
      if (id === undefined) setFault(t("direct.none"));
      else if (id === selfId()) setFault(t("direct.self"));
      else await writeTo(id);
    } catch (error) {
      setFault(faultText(error));
    }
    setBusy(false);
  };
  return (
    <Dialog title={t("direct.title")} kind="small" onClose={close}>
      <form class="stack" onSubmit={submit} noValidate>
        <div class="field">
          <label for="direct-handle">{t("direct.handle")}</label>
          <input
            class="input"
            id="direct-handle"
            name="handle"
            dir="ltr"
            autocapitalize="none"
            autocomplete="off"
            spellcheck={false}
            maxLength={40}
            autoFocus
            aria-invalid={fault !== undefined}
            aria-describedby="direct-hint"
          />
          <p class="hint" id="direct-hint">{t("direct.hint")}</p>
        </div>
        {fault && <p class="fault" role="alert">{fault}</p>}
        <div class="dialog-foot">
          <button type="button" class="button" onClick={close}>{t("app.cancel")}</button>
          <button type="submit" class="button primary" disabled={busy}>{t("direct.open")}</button>
        </div>
      </form>
    </Dialog>
  );
}
