import { useEffect, useState } from "preact/hooks";
import type { Seats } from "@confab/client";
import { attempt, faultText } from "../session/faults.ts";
import { client, nameOf, rules } from "../session/state.ts";
import { t } from "../text/text.ts";
import { tell } from "../ui/toast.tsx";
import { again } from "./again.ts";
import type { TabProps } from "./Panel.tsx";

/** It is read again in this time while it is looked at. */
const AGAIN_MS = 5_000;

/** Who is inside a room with a capacity and who waits, as far as one may know; owners and admins let in and take seats. */
export function SeatList({ state }: TabProps) {
  const { room } = state;
  const [seats, setSeats] = useState<Seats>();
  const read = async () => setSeats(await client().api.ask("readSeats", { room_id: room.room_id }));
  useEffect(() => again(read, AGAIN_MS, (error) => tell(faultText(error), undefined, 8000)), [room.room_id, state.seat?.kind]);
  if (!seats) return <p role="status">{t("app.loading")}</p>;
  const rows = (title: string, accounts: readonly string[] | undefined, waits: boolean) =>
    accounts && accounts.length > 0 && (
      <>
        <h3>{title}</h3>
        <ul>
          {accounts.map((id) => (
            <li key={id} class="list-row">
              <span class="grow" dir="auto">{nameOf(id)}</span>
              {rules(room) && waits && (
                <button type="button" class="button" onClick={() => void act("letIn", id)}>
                  {t("seats.letIn")}
                </button>
              )}
              {rules(room) && (
                <button type="button" class="button danger" onClick={() => void act("exitRoom", id)}>
                  {t("seats.remove")}
                </button>
              )}
            </li>
          ))}
        </ul>
      </>
    );
  const act = async (operation: "letIn" | "exitRoom", account_id: string) => {
    await attempt(async () => {
      await client().api.ask(operation, { room_id: room.room_id, account_id });
      await read();
    });
  };
  return (
    <div class="stack">
      <p>{t("seats.numbers", { inside: seats.inside, capacity: seats.capacity, waiting: seats.waiting })}</p>
      {rows(t("seats.inside"), seats.accounts, false)}
      {rows(t("seats.line"), seats.waiting_list, true)}
    </div>
  );
}
