import { useState } from "preact/hooks";
import { ConfabError, type Input, type VisibleTo } from "@confab/client";
import { attempt, faultText } from "../session/faults.ts";
import { client, live, me, presence, selfId } from "../session/state.ts";
import { ask } from "../shell/dialogs.ts";
import { prefer, prefs } from "../shell/prefs.ts";
import { chooseAway, choseAway } from "../people/watch.ts";
import { t } from "../text/text.ts";
import { tell } from "../ui/toast.tsx";

/** Name and status. */
export function Profile() {
  const own = me.value;
  const [away, setAway] = useState(choseAway());
  const [fault, setFault] = useState<string>();
  if (!own) return null;
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const name = String(form.get("name") ?? "").trim();
    const text = String(form.get("status") ?? "").trim();
    setFault(undefined);
    try {
      if (name && name !== own.display_name) await client().changeMe({ display_name: name });
      if (text !== (presence.value.get(selfId())?.text ?? "")) await client().setPresence(away ? "away" : "online", text);
      tell(t("app.saved"), undefined, 2000);
    } catch (error) {
      setFault(faultText(error));
    }
  };
  return (
    <section class="settings-section" aria-labelledby="set-profile">
      <h3 id="set-profile">{t("settings.profile")}</h3>
      <form class="stack" onSubmit={save}>
        <p class="hint">@{own.handle}</p>
        <div class="field">
          <label for="set-name">{t("settings.name")}</label>
          <input class="input" id="set-name" name="name" dir="auto" required maxLength={80} defaultValue={own.display_name} />
        </div>
        <div class="field">
          <label for="set-status">{t("settings.status")}</label>
          <input
            class="input"
            id="set-status"
            name="status"
            dir="auto"
            maxLength={100}
            placeholder={t("settings.statusText")}
            defaultValue={presence.value.get(own.account_id)?.text ?? ""}
          />
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={away}
            onChange={(event) => {
              setAway(event.currentTarget.checked);
              chooseAway(event.currentTarget.checked);
            }}
          />
          {t("settings.away")}
        </label>
        {fault && <p class="fault" role="alert">{fault}</p>}
        <div>
          <button type="submit" class="button primary">{t("app.save")}</button>
        </div>
      </form>
    </section>
  );
}

/** Who sees what; each choice is kept at once. */
export function Privacy() {
  const own = me.value;
  const [, redraw] = useState(0);
  if (!own) return null;
  // What was chosen and not taken goes back to what it was.
  const change = async (body: Input<"changeMe">["body"]) => {
    if (!(await attempt(() => client().changeMe(body)))) redraw(Date.now());
  };
  return (
    <section class="settings-section" aria-labelledby="set-privacy">
      <h3 id="set-privacy">{t("settings.privacy")}</h3>
      <Visible id="set-presence" label={t("settings.presence")} value={own.presence_visible_to} onChange={(presence_visible_to) => change({ presence_visible_to })} />
      <Visible id="set-seen" label={t("settings.lastSeen")} value={own.last_seen_visible_to} onChange={(last_seen_visible_to) => change({ last_seen_visible_to })} />
      <Visible id="set-invites" label={t("settings.invites")} value={own.invites_from} onChange={(invites_from) => change({ invites_from })} />
      <label class="check">
        <input type="checkbox" checked={own.private_reading} disabled={!live.value} onChange={(event) => change({ private_reading: event.currentTarget.checked })} />
        {t("settings.privateReading")}
      </label>
      <label class="check">
        <input type="checkbox" checked={prefs.value.tellTyping} onChange={(event) => prefer({ tellTyping: event.currentTarget.checked })} />
        {t("settings.typing")}
      </label>
    </section>
  );
}

function Visible({ id, label, value, onChange }: { id: string; label: string; value: VisibleTo; onChange: (value: VisibleTo) => void }) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select class="input" id={id} value={value} disabled={!live.value} onChange={(event) => onChange(event.currentTarget.value as VisibleTo)}>
        <option value="everyone">{t("settings.everyone")}</option>
        <option value="shared_rooms">{t("settings.shared")}</option>
        <option value="nobody">{t("settings.nobody")}</option>
      </select>
    </div>
  );
}

/** Another password; all other devices are signed out by it. */
export function Password() {
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const data = new FormData(form);
    const body = { old: String(data.get("old") ?? ""), new: String(data.get("new") ?? "") };
    if (body.new.length < 8 || body.new.length > 128) return setFault(t("sign.shortPassword"));
    setBusy(true);
    setFault(undefined);
    try {
      await client().api.ask("changePassword", { body });
      form.reset();
      tell(t("settings.passwordChanged"));
    } catch (error) {
      const wrong = error instanceof ConfabError && error.code === "invalid_field" && error.field === "old";
      setFault(wrong ? t("settings.wrongPassword") : faultText(error));
    }
    setBusy(false);
  };
  return (
    <section class="settings-section" aria-labelledby="set-password">
      <h3 id="set-password">{t("settings.password")}</h3>
      <form class="stack" onSubmit={save}>
        <input class="sr-only" type="text" autocomplete="username" tabIndex={-1} aria-hidden="true" readOnly value={me.value?.handle ?? ""} />
        <div class="field">
          <label for="set-old">{t("settings.oldPassword")}</label>
          <input class="input" id="set-old" name="old" type="password" dir="ltr" required autocomplete="current-password" maxLength={128} />
        </div>
        <div class="field">
          <label for="set-new">{t("settings.newPassword")}</label>
          <input class="input" id="set-new" name="new" type="password" dir="ltr" required autocomplete="new-password" maxLength={128} />
        </div>
        {fault && <p class="fault" role="alert">{fault}</p>}
        <div>
          <button type="submit" class="button" disabled={busy}>{t("settings.changePassword")}</button>
        </div>
      </form>
    </section>
  );
}

/** The account's end, after its password. */
export function Remove() {
  const [open, setOpen] = useState(false);
  const [fault, setFault] = useState<string>();
  const remove = async (event: SubmitEvent) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget as HTMLFormElement).get("password") ?? "");
    if ((await ask({ text: t("settings.removeHint"), does: t("settings.remove"), danger: true })) === undefined) return;
    try {
      await client().api.ask("removeMe", { body: { password } });
      await client().signOut(true);
    } catch (error) {
      setFault(error instanceof ConfabError && error.code === "invalid_field" ? t("settings.wrongPassword") : faultText(error));
    }
  };
  if (!open) {
    return (
      <button type="button" class="button danger" onClick={() => setOpen(true)}>
        {t("settings.remove")}
      </button>
    );
  }
  return (
    <form class="stack" onSubmit={remove}>
      <p>{t("settings.removeHint")}</p>
      <div class="field">
        <label for="remove-password">{t("sign.password")}</label>
        <input class="input" id="remove-password" name="password" type="password" dir="ltr" required autocomplete="current-password" maxLength={128} />
      </div>
      {fault && <p class="fault" role="alert">{fault}</p>}
      <div>
        <button type="submit" class="button danger">{t("settings.remove")}</button>
      </div>
    </form>
  );
}
