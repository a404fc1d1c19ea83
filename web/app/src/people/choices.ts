import type { Member, Room } from "@confab/client";
import { attempt } from "../session/faults.ts";
import { blocked, client, nameOf, rules, selfId, serverNow, titleOf } from "../session/state.ts";
import { ask } from "../shell/dialogs.ts";
import { t } from "../text/text.ts";
import type { Choice } from "../ui/Menu.tsx";
import { tellBlocks } from "./blocks.ts";
import { writeTo } from "./direct.ts";

const HOUR_MS = 3_600_000;

/** What the account may do about somebody, in a room or anywhere. */
export function personChoices(id: string, room: Room | undefined, member: Member | undefined): Choice[] {
  if (id === selfId()) return [];
  const name = nameOf(id);
  const choices: Choice[] = [];
  if (!(room?.type === "direct" && room.peer_id === id)) {
    choices.push({ label: t("person.write", { name }), icon: "talk", act: () => void writeTo(id) });
  }
  if (room && rules(room) && room.archived_at === undefined) choices.push(...rulersChoices(id, room, member));
  if (blocked.value.has(id)) choices.push({ label: t("person.unblock"), act: () => void setBlocked(id, false) });
  else choices.push({ label: t("person.block"), icon: "warn", danger: true, act: () => void setBlocked(id, true) });
  return choices;
}

function rulersChoices(account_id: string, room: Room, member: Member | undefined): Choice[] {
  const name = nameOf(account_id);
  const { room_id } = room;
  const title = titleOf(room);
  const { api } = client();
  const owner = room.role === "owner";
  const above = member !== undefined && member.role !== "member";
  const choices: Choice[] = [];
  if (owner && member) {
    if (member.role === "member")
      choices.push({ label: t("person.makeAdmin"), act: () => void attempt(() => api.ask("putMember", { room_id, account_id, body: { role: "admin" } })) });
    if (member.role === "admin")
      choices.push({ label: t("person.makeMember"), act: () => void attempt(() => api.ask("putMember", { room_id, account_id, body: { role: "member" } })) });
    if (member.role !== "owner")
      choices.push({
        label: t("person.makeOwner"),
        act: async () => {
          if ((await ask({ text: t("person.ownerAsk", { name, room: title }), does: t("person.makeOwner") })) !== undefined)
            await attempt(() => api.ask("transferRoom", { room_id, account_id }));
        },
      });
  }
  if (above && (!owner || member.role === "owner")) return choices;
  if (member) {
    const mute = (ms: number) => () => void attempt(() => api.ask("mute", { room_id, account_id, body: { until: serverNow() + ms } }));
    if (member.muted_until !== undefined && member.muted_until > serverNow())
      choices.push({ label: t("person.unmute"), act: () => void attempt(() => api.ask("unmute", { room_id, account_id })) });
    else choices.push({ label: t("person.mute"), act: mute(HOUR_MS) }, { label: t("person.muteDay"), act: mute(24 * HOUR_MS) });
    choices.push({
      label: t("person.kick"),
      danger: true,
      act: async () => {
        if ((await ask({ text: t("person.kickAsk", { name, room: title }), does: t("person.kick"), danger: true })) !== undefined)
          await attempt(() => api.ask("removeMember", { room_id, account_id }));
      },
    });
  }
  choices.push({
    label: t("person.ban"),
    danger: true,
    act: async () => {
      const reason = await ask({ text: t("person.banAsk", { name, room: title }), does: t("person.ban"), danger: true, input: t("person.banReason") });
      if (reason !== undefined) await attempt(() => api.ask("ban", { room_id, account_id, body: reason.trim() ? { reason: reason.trim() } : {} }));
    },
  });
  return choices;
}

/** Blocks somebody, after a question, or no longer. */
export async function setBlocked(account_id: string, block: boolean): Promise<void> {
  if (block && (await ask({ text: t("person.blockAsk", { name: nameOf(account_id) }), does: t("person.block"), danger: true })) === undefined) return;
  const { api } = client();
  if (!(await attempt(() => (block ? api.ask("block", { account_id }) : api.ask("unblock", { account_id }))))) return;
  const now = new Set(blocked.value);
  if (block) now.add(account_id);
  else now.delete(account_id);
  blocked.value = now;
  tellBlocks();
}
