import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../text/text.ts";
import { Icon } from "./Icon.tsx";
import { Toasts } from "./toast.tsx";

interface Props {
  title: string;
  children: ComponentChildren;
  onClose: () => void;
  kind?: "wide" | "small" | "top switcher";
  bare?: boolean;
}

/** A modal dialog. The browser keeps the focus in it and gives it back to where it came from. */
export function Dialog({ title, children, onClose, kind, bare }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current!;
    const before = document.activeElement;
    dialog.showModal();
    // A browser may close it without asking first.
    dialog.addEventListener("close", onClose);
    return () => {
      dialog.removeEventListener("close", onClose);
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={kind ?? ""}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === ref.current && outside(ref.current!, event)) onClose();
      }}
    >
      <div class={bare ? "sr-only" : "dialog-head"}>
        <h2 id={id} dir="auto">{title}</h2>
        {!bare && (
          <button type="button" class="icon-button" aria-label={t("app.close")} onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </div>
      {bare ? children : <div class="dialog-body">{children}</div>}
      <Toasts layer={id} />
    </dialog>
  );
}

function outside(dialog: HTMLElement, event: MouseEvent): boolean {
  const box = dialog.getBoundingClientRect();
  return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
}
