import { close } from "../shell/dialogs.ts";
import { t, type Key } from "../text/text.ts";
import { Dialog } from "../ui/Dialog.tsx";

/** Every shortcut, with the keys that make it. */
export function Keys() {
  const mac = /Mac|iP/.test(navigator.platform);
  const ctrl = mac ? "⌘" : t("keys.ctrl");
  const alt = mac ? "⌥" : t("keys.alt");
  const shift = t("keys.shift");
  const shortcuts: [Key, string[]][] = [
    ["keys.switcher", [ctrl, "K"]],
    ["keys.help", ["?"]],
    ["keys.previous", [alt, "↑"]],
    ["keys.next", [alt, "↓"]],
    ["keys.previousUnread", [alt, shift, "↑"]],
    ["keys.nextUnread", [alt, shift, "↓"]],
    ["keys.escape", [t("keys.esc")]],
    ["keys.newest", [t("keys.end")]],
    ["keys.messages", ["↑", "↓"]],
    ["keys.regions", ["F6"]],
    ["keys.send", [t("keys.enter")]],
    ["keys.newline", [shift, t("keys.enter")]],
    ["keys.edit", ["↑"]],
  ];
  return (
    <Dialog title={t("keys.title")} onClose={close}>
      <dl class="shortcuts">
        {shortcuts.flatMap(([what, keys]) => [
          <dt key={what}>{t(what)}</dt>,
          <dd key={`${what}-keys`}>
            {keys.map((key, i) => (
              <span key={key}>
                {i > 0 && " "}
                <kbd>{key}</kbd>
              </span>
            ))}
          </dd>,
        ])}
      </dl>
    </Dialog>
  );
}
