import { useState } from "preact/hooks";
import { prefer, prefs, TONES, type Prefs } from "../shell/prefs.ts";
import { LANGUAGES, t, type Language } from "../text/text.ts";

/** Theme, contrast, language and what Enter does; for this browser. */
export function Look() {
  const now = prefs.value;
  return (
    <section class="settings-section" aria-labelledby="set-look">
      <h3 id="set-look">{t("settings.look")}</h3>
      <div class="field">
        <label for="set-theme">{t("settings.theme")}</label>
        <select class="input" id="set-theme" value={now.theme} onChange={(event) => prefer({ theme: event.currentTarget.value as Prefs["theme"] })}>
          <option value="system">{t("settings.system")}</option>
          <option value="light">{t("settings.light")}</option>
          <option value="dark">{t("settings.dark")}</option>
        </select>
      </div>
      <label class="check">
        <input type="checkbox" checked={now.contrast} onChange={(event) => prefer({ contrast: event.currentTarget.checked })} />
        {t("settings.contrast")}
      </label>
      <div class="field">
        <label for="set-language">{t("settings.language")}</label>
        <select class="input" id="set-language" value={now.language} onChange={(event) => prefer({ language: event.currentTarget.value as Language })}>
          {Object.entries(LANGUAGES).map(([code, one]) => (
            <option key={code} value={code} lang={code}>{one.name}</option>
          ))}
        </select>
      </div>
      <label class="check">
        <input type="checkbox" checked={now.enterSends} onChange={(event) => prefer({ enterSends: event.currentTarget.checked })} />
        {t("settings.enter")}
      </label>
      <div class="field">
        <label for="set-tone">{t("settings.tone")}</label>
        <select class="input" id="set-tone" value={now.tone} onChange={(event) => prefer({ tone: event.currentTarget.value })}>
          {TONES.map((tone) => (
            <option key={tone} value={tone}>{`✋${tone}`}</option>
          ))}
        </select>
      </div>
    </section>
  );
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Of what, and when, to be notified. The browser is asked when something is turned on here. */
export function Notifications() {
  const now = prefs.value;
  const able = "Notification" in window;
  const [permission, setPermission] = useState(able ? Notification.permission : "denied");
  const choose = async (notify: Prefs["notify"]) => {
    prefer({ notify, offered: true });
    if (able && notify !== "none" && Notification.permission === "default") setPermission(await Notification.requestPermission());
  };
  return (
    <section class="settings-section" aria-labelledby="set-notify">
      <h3 id="set-notify">{t("settings.notifications")}</h3>
      <div class="field">
        <label for="set-notify-what">{t("settings.notify")}</label>
        <select class="input" id="set-notify-what" value={now.notify} onChange={(event) => void choose(event.currentTarget.value as Prefs["notify"])}>
          <option value="all">{t("settings.notifyAll")}</option>
          <option value="mentions">{t("settings.notifyMentions")}</option>
          <option value="none">{t("settings.notifyNone")}</option>
        </select>
      </div>
      {permission === "default" && now.notify !== "none" && (
        <div>
          <button type="button" class="button" onClick={() => void choose(now.notify)}>{t("notify.allow")}</button>
        </div>
      )}
      {permission === "denied" && <p class="hint">{t("settings.notifyDenied")}</p>}
      <div class="line">
        <label for="set-quiet-from">{t("settings.quiet")}</label>
        <Hour id="set-quiet-from" value={now.quietFrom} onChange={(quietFrom) => prefer({ quietFrom })} />
        <label for="set-quiet-to">{t("settings.quietTo")}</label>
        <Hour id="set-quiet-to" value={now.quietTo} onChange={(quietTo) => prefer({ quietTo })} />
      </div>
    </section>
  );
}

function Hour({ id, value, onChange }: { id: string; value: number; onChange: (hour: number) => void }) {
  return (
    <select class="input hour" id={id} value={value} onChange={(event) => onChange(Number(event.currentTarget.value))}>
      {HOURS.map((hour) => (
        <option key={hour} value={hour}>{`${String(hour).padStart(2, "0")}:00`}</option>
      ))}
    </select>
  );
}
