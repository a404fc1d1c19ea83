import { useEffect, useState } from "preact/hooks";
import type { MessageVersion } from "@confab/client";
import type { Line } from "../log/types.ts";
import { faultText } from "../session/faults.ts";
import { client } from "../session/state.ts";
import { close } from "../shell/dialogs.ts";
import { t } from "../text/text.ts";
import { full, moment } from "../text/time.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { wordDiff } from "./diff.ts";

/** What a message said, newest first, each with what changed in it. */
export function Versions({ room, line }: { room: string; line: Line }) {
  const [versions, setVersions] = useState<readonly MessageVersion[]>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    client()
      .api.all("readVersions", { room_id: room, seq: line.seq! }, 500)
      .then(setVersions, (error) => setFault(faultText(error)));
  }, []);
  return (
    <Dialog title={t("message.versions")} kind="wide" onClose={close}>
      {fault && <p class="fault" role="alert">{fault}</p>}
      {!versions && !fault && <span class="spinner" role="status" aria-label={t("app.loading")} />}
      <ol class="versions">
        {versions
          ?.map((version, i) => (
            <li key={i}>
              <time class="hint" dateTime={new Date(version.ts).toISOString()} title={full(version.ts)}>
                {i === versions.length - 1 ? `${t("message.versionNow")} · ` : ""}
                {moment(version.ts)}
              </time>
              <div class="body" dir="auto">
                {i === 0
                  ? version.body
                  : wordDiff(versions[i - 1]!.body, version.body).map((change, k) =>
                      change.kind === "same" ? change.text : change.kind === "added" ? <ins key={k}>{change.text}</ins> : <del key={k}>{change.text}</del>,
                    )}
              </div>
            </li>
          ))
          .reverse()}
      </ol>
    </Dialog>
  );
}
