import { Component, createRef, type ComponentChildren } from "preact";
import { t } from "../text/text.ts";
import { day } from "../text/time.ts";
import type { Day } from "../conversation/rows.ts";
import { LongPress } from "./LongPress.ts";
import { messagesOf, NEAR_END, shown, Stillness } from "./scroll.ts";
import type { Line } from "./types.ts";

/** Where the view is to be put, once what is named is there. */
export type Goal = { kind: "end" } | { kind: "message"; seq: number; flash: boolean } | { kind: "divider" };

export interface LogProps {
  /** Another room, or another place of it: nothing is kept still between two of them. */
  place: string;
  title: string;
  days: readonly Day<Line>[];
  hasOlder: boolean;
  hasNewer: boolean;
  loadingOlder: boolean;
  loadingNewer: boolean;
  goal: Goal | undefined;
  start: ComponentChildren;
  message: (row: Day<Line>["rows"][number]) => ComponentChildren;
  onGoal: () => void;
  onOlder: () => void;
  onNewer: () => void;
  /** What is on the screen, after each scrolling and each change; `end` with the newest in view. */
  onView: (view: View) => void;
  onActive: (key: string | undefined) => void;
  onTouchMenu: (key: string, at: { x: number; y: number }) => void;
}

export interface View {
  first: number;
  last: number;
  end: boolean;
  /** Whether the divider is above what is on the screen. */
  dividerAbove: boolean;
}

/**
 * The log of a room: scrolls without end in both directions, and what is read stays where it is
 * whatever comes or goes above and below.
 */
export class Log extends Component<LogProps> {
  readonly #scroller = createRef<HTMLDivElement>();
  readonly #content = createRef<HTMLDivElement>();
  #stillness!: Stillness;
  #watch!: ResizeObserver;

  override componentDidMount(): void {
    this.#stillness = new Stillness(this.#scroller.current!);
    this.#watch = new ResizeObserver(() => {
      this.#stillness.restore(!this.props.hasNewer, true);
      this.#look();
    });
    this.#watch.observe(this.#content.current!);
    this.#watch.observe(this.#scroller.current!);
    this.#settle(true);
  }

  override componentWillUnmount(): void {
    this.#watch.disconnect();
    this.#press.end();
  }

  override getSnapshotBeforeUpdate(before: LogProps): null {
    if (before.place === this.props.place) this.#stillness.remember(!before.hasNewer);
    return null;
  }

  override componentDidUpdate(before: LogProps): void {
    this.#settle(before.place !== this.props.place);
  }

  #settle(anew: boolean): void {
    const scroller = this.#scroller.current!;
    const { goal } = this.props;
    const target = goal && this.#find(goal);
    if (target === "end") {
      scroller.scrollTop = scroller.scrollHeight;
      this.props.onGoal();
    } else if (target) {
      const frame = scroller.getBoundingClientRect();
      const box = target.getBoundingClientRect();
      // What was found stands in the middle; where one read before, at the top as it was.
      const share = goal!.kind === "divider" ? 0.3 : goal!.kind === "message" && goal!.flash ? 0.4 : 0;
      scroller.scrollTop += box.top - frame.top - frame.height * share;
      if (goal.kind === "message" && goal.flash) target.focus({ preventScroll: true });
      this.props.onGoal();
    } else if (anew || goal) {
      // What is not there cannot be gone to, and must not be waited for.
      if (anew) scroller.scrollTop = scroller.scrollHeight;
      if (goal) this.props.onGoal();
    } else {
      this.#stillness.restore(!this.props.hasNewer, false);
    }
    this.#stillness.remember(!this.props.hasNewer);
    this.#look();
  }

  #find(goal: Goal): HTMLElement | "end" | undefined {
    if (goal.kind === "end") return this.props.hasNewer ? undefined : "end";
    const content = this.#content.current!;
    if (goal.kind === "divider") return content.querySelector<HTMLElement>(".divider") ?? undefined;
    return content.querySelector<HTMLElement>(`[data-seq="${goal.seq}"]`) ?? undefined;
  }

  #onScroll = (): void => {
    this.#press.end();
    this.#stillness.remember(!this.props.hasNewer);
    this.#look();
  };

  /** Tells what is on the screen, and asks for what will soon be. */
  #look(): void {
    const scroller = this.#scroller.current;
    if (!scroller || scroller.clientHeight === 0) return;
    const { hasOlder, hasNewer, loadingOlder, loadingNewer, goal } = this.props;
    const below = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
    const reach = scroller.clientHeight * 1.5;
    if (!goal) {
      if (hasOlder && !loadingOlder && scroller.scrollTop < reach) this.props.onOlder();
      else if (hasNewer && !loadingNewer && below < reach) this.props.onNewer();
    }
    const range = shown(scroller);
    const divider = this.#content.current!.querySelector(".divider");
    const frame = scroller.getBoundingClientRect();
    this.props.onView({
      first: range?.first ?? 0,
      last: range?.last ?? 0,
      end: !hasNewer && below <= NEAR_END,
      dividerAbove: divider !== null && divider.getBoundingClientRect().bottom < frame.top,
    });
  }

  #onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const scroller = this.#scroller.current!;
    const target = event.target as HTMLElement;
    if (event.key === "End" && target.closest("button, textarea") === null) {
      this.props.onActive(undefined);
      return;
    }
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (step === 0 || target.closest("[role=menu]")) return;
    const nodes = messagesOf(scroller);
    const now = nodes.indexOf(target.closest<HTMLElement>(".message")!);
    let to = now + step;
    if (now < 0) {
      const range = shown(scroller);
      to = nodes.findIndex((node) => Number(node.dataset["seq"]) === range?.last);
      if (to < 0) to = nodes.length - 1;
    }
    const next = nodes[Math.max(0, Math.min(nodes.length - 1, to))];
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  };

  #keyAt(event: Pick<Event, "target">): string | undefined {
    return (event.target as Element).closest<HTMLElement>(".message")?.dataset["key"];
  }

  #onFocus = (event: FocusEvent): void => {
    const key = this.#keyAt(event);
    if (key) this.props.onActive(key);
  };

  /** What a touch showed goes when one turns elsewhere; with a mouse, one may come back to it. */
  #onBlur = (event: FocusEvent): void => {
    const to = event.relatedTarget as Node | null;
    if (to && !this.#scroller.current!.contains(to) && matchMedia("(hover: none)").matches) this.props.onActive(undefined);
  };

  #onOver = (event: PointerEvent): void => {
    if (event.pointerType !== "mouse") return;
    const key = this.#keyAt(event);
    if (key) this.props.onActive(key);
  };

  /** Not every browser tells of a long press by itself. */
  readonly #press = new LongPress((event) => {
    const key = this.#keyAt(event);
    if (!key || (event.target as Element).closest("a")) return false;
    this.props.onTouchMenu(key, { x: event.clientX, y: event.clientY });
    return true;
  });

  /** A touch shows what can be done with a message, as hovering over it does. */
  #onClick = (event: MouseEvent): void => {
    if ((event as PointerEvent).pointerType === "touch") this.props.onActive(this.#keyAt(event));
  };

  override render(p: LogProps) {
    return (
      <div
        ref={this.#scroller}
        class="log"
        role="log"
        aria-live="off"
        aria-label={p.title}
        tabIndex={0}
        onScroll={this.#onScroll}
        onKeyDown={this.#onKeyDown}
        onFocusIn={this.#onFocus}
        onFocusOut={this.#onBlur}
        onPointerOver={this.#onOver}
        onPointerDown={this.#press.down}
        onPointerMove={this.#press.move}
        onPointerUp={this.#press.end}
        onPointerCancel={this.#press.end}
        onContextMenu={this.#press.context}
        onClickCapture={this.#press.click}
        onClick={this.#onClick}
      >
        <div ref={this.#content} class="log-content">
          {p.hasOlder ? <div class="log-edge">{t("log.older")}</div> : p.start}
          {p.days.map((one) => (
            <section key={one.key} class="day-section" aria-label={day(one.ts)}>
              <div class="day">
                <span>{day(one.ts)}</span>
              </div>
              {one.rows.flatMap((row) => {
                const message = p.message(row);
                if (!row.divider) return [message];
                return [
                  <div key="divider" class="divider" role="separator" aria-label={t("log.unread")} data-testid="divider">
                    {t("log.unread")}
                  </div>,
                  message,
                ];
              })}
            </section>
          ))}
          {p.hasNewer && <div class="log-edge">{t("log.newer")}</div>}
        </div>
      </div>
    );
  }
}
