import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Icon, type IconName } from "./Icon.tsx";

export interface Choice {
  label: string;
  icon?: IconName;
  danger?: boolean;
  act: () => void;
}

interface Props {
  label: string;
  choices: readonly Choice[];
  /** Where it opens: beside this element, or at this point. */
  at: Element | { x: number; y: number };
  onClose: () => void;
}

/** A menu over the page: arrows move, Esc and a click elsewhere close it, focus returns. */
export function Menu({ label, choices, at, onClose }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const menu = ref.current!;
    place(menu, at);
    const before = document.activeElement;
    menu.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    return () => {
      const lost = document.activeElement === null || document.activeElement === document.body || menu.contains(document.activeElement);
      if (lost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    const away = (event: Event) => {
      if (!ref.current?.contains(event.target as Node)) onClose();
    };
    document.addEventListener("pointerdown", away, true);
    window.addEventListener("blur", onClose);
    return () => {
      document.removeEventListener("pointerdown", away, true);
      window.removeEventListener("blur", onClose);
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...ref.current!.querySelectorAll<HTMLElement>("[role=menuitem]")];
    const now = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: items.length - 1 }[event.key];
    if (to !== undefined) items[(to + items.length) % items.length]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={ref} class="menu" role="menu" aria-label={label} onKeyDown={onKeyDown}>
      {choices.map((choice) => (
        <button
          key={choice.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          class={choice.danger ? "menu-item danger" : "menu-item"}
          onClick={(event) => {
            event.stopPropagation();
            onClose();
            choice.act();
          }}
        >
          {choice.icon && <Icon name={choice.icon} />}
          {choice.label}
        </button>
      ))}
    </div>
  );
}

function place(menu: HTMLElement, at: Props["at"]): void {
  const own = menu.getBoundingClientRect();
  const from = at instanceof Element ? at.getBoundingClientRect() : new DOMRect(at.x, at.y, 0, 0);
  const rtl = document.documentElement.dir === "rtl";
  const x = rtl ? from.left : from.right - own.width;
  const below = from.bottom + 4;
  const y = below + own.height <= innerHeight ? below : from.top - own.height - 4;
  menu.style.left = `${Math.max(8, Math.min(x, innerWidth - own.width - 8))}px`;
  menu.style.top = `${Math.max(8, y)}px`;
}
