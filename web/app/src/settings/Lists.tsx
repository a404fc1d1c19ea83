import { setBlocked } from "../people/choices.ts";
import { blocked, ordered, personOf, titleOf } from "../session/state.ts";
import { close } from "../shell/dialogs.ts";
import { hashOf } from "../shell/route.ts";
import { t } from "../text/text.ts";
import { Avatar } from "../ui/Avatar.tsx";

/** What was begun and not sent, in every room. */
export function Drafts() {
  const rooms = ordered.value.filter((state) => state.draft.trim() !== "");
  return (
    <section class="settings-section" aria-labelledby="set-drafts">
      <h3 id="set-drafts">{t("settings.drafts")}</h3>
      {rooms.length === 0 && <p class="hint">{t("settings.noDrafts")}</p>}
      <ul>
        {rooms.map(({ room, draft }) => (
          <li key={room.room_id}>
            <a class="room-row" href={hashOf({ name: "room", room: room.room_id })} onClick={close}>
              <Avatar id={room.room_id} name={titleOf(room)} size="small" />
              <span class="room-words">
                <bdi class="room-name">{titleOf(room)}</bdi>
                <span class="room-last" dir="auto">{draft.slice(0, 160)}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whom the account has blocked. */
export function Blocked() {
  const ids = [...blocked.value];
  return (
    <section class="settings-section" aria-labelledby="set-blocked">
      <h3 id="set-blocked">{t("settings.blocked")}</h3>
      {ids.length === 0 && <p class="hint">{t("settings.noBlocked")}</p>}
      <ul>
        {ids.map((id) => {
          const person = personOf(id);
          return (
            <li key={id} class="list-row">
              <Avatar id={id} name={person.display_name} person />
              <span class="person-words">
                <bdi>{person.display_name}</bdi>
                <span class="hint">@{person.handle}</span>
              </span>
              <button type="button" class="button" onClick={() => void setBlocked(id, false)}>
                {t("person.unblock")}
                <span class="sr-only">{person.display_name}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
