import { t } from "../text/text.ts";
import { Icon } from "../ui/Icon.tsx";

/** Nothing chosen. */
export function NoRoom() {
  return (
    <main class="room" tabIndex={-1}>
      <div class="nothing">
        <Icon name="talk" />
        <h1>{t("rooms.choose")}</h1>
        <p>{t("rooms.chooseHint", { key: `${t("keys.ctrl")}+K` })}</p>
      </div>
    </main>
  );
}
