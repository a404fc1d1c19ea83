import { useState } from "preact/hooks";
import { accountOf, handlesIn } from "../people/lookup.ts";
import { faultText } from "../session/faults.ts";
import { client, nameOf } from "../session/state.ts";
import { close } from "../shell/dialogs.ts";
import { go } from "../shell/route.ts";
import { t } from "../text/text.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { tell } from "../ui/toast.tsx";

/** Makes a group or a channel. */
export function Create() {
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const given = (name: string) => String(form.get(name) ?? "").trim();
    setBusy(true);
    setFault(undefined);
    try {
      const members: string[] = [];
      for (const handle of handlesIn(given("people"))) {
        const id = await accountOf(handle);
        if (id === undefined) throw t("create.noSuch", { handle });
        members.push(id);
      }
      const description = given("description");
      const room = await client().api.ask("createRoom", {
        body: {
          type: given("type") === "channel" ? "channel" : "group",
          name: given("name"),
          history: given("history") === "since_join" ? "since_join" : "all",
          ...(description ? { description } : {}),
          ...(members.length > 0 ? { members } : {}),
        },
      });
      close();
      go({ name: "room", room: room.room_id });
      for (const id of room.invited ?? []) tell(t("details.asked", { name: nameOf(id) }));
    } catch (error) {
      setFault(typeof error === "string" ? error : faultText(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("create.title")} onClose={close}>
      <form class="stack" onSubmit={submit}>
        <fieldset class="field plain">
          <legend class="label">{t("create.type")}</legend>
          <label class="check">
            <input type="radio" name="type" value="group" defaultChecked />
            {t("create.group")}
          </label>
          <label class="check">
            <input type="radio" name="type" value="channel" />
            {t("create.channel")}
          </label>
        </fieldset>
        <div class="field">
          <label for="create-name">{t("create.name")}</label>
          <input class="input" id="create-name" name="name" dir="auto" required maxLength={80} autocomplete="off" autoFocus />
        </div>
        <div class="field">
          <label for="create-description">{t("create.description")}</label>
          <input class="input" id="create-description" name="description" dir="auto" maxLength={500} autocomplete="off" />
        </div>
        <div class="field">
          <label for="create-people">{t("create.people")}</label>
          <input class="input" id="create-people" name="people" dir="ltr" autocapitalize="none" autocomplete="off" aria-describedby="create-people-hint" />
          <p class="hint" id="create-people-hint">{t("create.peopleHint")}</p>
        </div>
        <div class="field">
          <label for="create-history">{t("create.history")}</label>
          <select class="input" id="create-history" name="history">
            <option value="all">{t("create.historyAll")}</option>
            <option value="since_join">{t("create.historyJoin")}</option>
          </select>
        </div>
        {fault && <p class="fault" role="alert">{fault}</p>}
        <div class="dialog-foot">
          <button type="button" class="button" onClick={close}>{t("app.cancel")}</button>
          <button type="submit" class="button primary" disabled={busy}>{t("create.done")}</button>
        </div>
      </form>
    </Dialog>
  );
}
