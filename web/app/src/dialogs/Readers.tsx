import { useEffect, useState } from "preact/hooks";
import type { Line } from "../log/types.ts";
import { faultText } from "../session/faults.ts";
import { client, personOf, statusOf } from "../session/state.ts";
import { close } from "../shell/dialogs.ts";
import { t } from "../text/text.ts";
import { Avatar } from "../ui/Avatar.tsx";
import { Dialog } from "../ui/Dialog.tsx";

/** Who has read a message. */
export function Readers({ room, line }: { room: string; line: Line }) {
  const [readers, setReaders] = useState<readonly string[]>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    client()
      .api.all("listReaders", { room_id: room, seq: line.seq! }, 1000)
      .then(
        (all) => setReaders(all.map((one) => one.account_id)),
        (error) => setFault(faultText(error)),
      );
  }, []);
  return (
    <Dialog title={t("message.readers")} onClose={close}>
      {fault && <p class="fault" role="alert">{fault}</p>}
      {!readers && !fault && <span class="spinner" role="status" aria-label={t("app.loading")} />}
      {readers?.length === 0 && <p>{t("message.nobodyRead")}</p>}
      <ul>
        {readers?.map((id) => {
          const person = personOf(id);
          return (
            <li key={id} class="person-row">
              <Avatar id={id} name={person.display_name} person status={statusOf(id)} />
              <span class="person-words">
                <bdi>{person.display_name}</bdi>
                <span class="hint">@{person.handle}</span>
              </span>
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}
