import { useState } from "preact/hooks";
import { attempt } from "../session/faults.ts";
import { client, devices_version } from "../session/state.ts";
import { t } from "../text/text.ts";
import { moment } from "../text/time.ts";
import { useList } from "../details/useList.ts";

/** Where the account is signed in, and the ways to end it there. */
export function Devices() {
  const { list, fault, again } = useList(() => client().api.all("listDevices", {}, 100), String(devices_version.value));
  const [renaming, setRenaming] = useState<string>();
  const revoke = async (device_id: string) => {
    if (await attempt(() => client().api.ask("removeDevice", { device_id }))) again();
  };
  const rename = async (event: SubmitEvent, device_id: string) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get("name") ?? "").trim();
    if (name && (await attempt(() => client().api.ask("renameDevice", { device_id, body: { name } })))) again();
    setRenaming(undefined);
  };
  return (
    <section class="settings-section" aria-labelledby="set-devices">
      <h3 id="set-devices">{t("settings.devices")}</h3>
      {fault && <p class="fault" role="alert">{fault}</p>}
      <ul>
        {list?.map((device) => (
          <li key={device.device_id} class="list-row">
            {renaming === device.device_id ? (
              <form class="copyable grow" onSubmit={(event) => void rename(event, device.device_id)}>
                <input class="input" name="name" aria-label={t("settings.rename")} dir="auto" maxLength={80} defaultValue={device.name} autoFocus />
                <button type="submit" class="button">{t("app.save")}</button>
              </form>
            ) : (
              <>
                <span class="person-words">
                  <bdi>{device.name}</bdi>
                  <span class="hint">
                    {[
                      device.platform,
                      device.current ? t("settings.thisDevice") : t("settings.lastUsed", { time: moment(device.last_seen_at) }),
                      device.issued_by === "api_key" ? t("settings.byServer") : "",
                    ].filter(Boolean).join(" · ")}
                  </span>
                </span>
                <button type="button" class="button" onClick={() => setRenaming(device.device_id)}>
                  {t("settings.rename")}
                  <span class="sr-only">{device.name}</span>
                </button>
                {!device.current && (
                  <button type="button" class="button danger" onClick={() => void revoke(device.device_id)}>
                    {t("settings.revoke")}
                    <span class="sr-only">{device.name}</span>
                  </button>
                )}
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
