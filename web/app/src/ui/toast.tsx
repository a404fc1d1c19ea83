import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { forgets } from "../session/forget.ts";

export interface Toast {
  id: number;
  text: string;
  action?: { label: string; act: () => void } | undefined;
}

const toasts = signal<readonly Toast[]>([]);
let last = 0;

/** At most this many at a time. What can be undone by one stays for as long as that is so. */
const MOST = 3;

export function shownOf(all: readonly Toast[]): readonly Toast[] {
  let over = all.length - MOST;
  return all.filter((toast, i) => toast.action !== undefined || i === all.length - 1 || over-- <= 0);
}

/** Tells something for some seconds. Ends it early with what is answered. */
export function tell(text: string, action?: Toast["action"], ms = 5000): () => void {
  const id = ++last;
  const end = () => {
    toasts.value = toasts.value.filter((toast) => toast.id !== id);
  };
  toasts.value = shownOf([...toasts.value, { id, text, action }]);
  setTimeout(end, ms);
  return end;
}

forgets(() => {
  toasts.value = [];
});

/** Modal dialogs, the topmost last: what is not in it can be neither reached nor heard. */
const layers = signal<readonly string[]>([]);

/** The notes, in the page or in the modal dialog that is above all. */
export function Toasts({ layer }: { layer?: string }) {
  useEffect(() => {
    if (layer === undefined) return;
    layers.value = [...layers.value, layer];
    return () => {
      layers.value = layers.value.filter((other) => other !== layer);
    };
  }, []);
  const shown = layers.value.at(-1) === layer ? toasts.value : [];
  return (
    <div class="toasts" role="status">
      {shown.map((toast) => (
        <div key={toast.id} class="toast">
          <span dir="auto">{toast.text}</span>
          {toast.action && (
            <button
              type="button"
              class="text-button"
              onClick={() => {
                toasts.value = toasts.value.filter((other) => other !== toast);
                toast.action!.act();
              }}
            >
              {toast.action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
