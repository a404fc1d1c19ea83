import { Component, createRef } from "preact";
import { type RoomState } from "@confab/client";
import type { Conversation } from "../conversation/conversation.ts";
import type { Line } from "../log/types.ts";
import { attempt, faultText } from "../session/faults.ts";
import { forgets } from "../session/forget.ts";
import { blocked, client, connection, localTime, nameOf, rules } from "../session/state.ts";
import { extras } from "../shell/lazy.tsx";
import { prefs } from "../shell/prefs.ts";
import { offerNotifications } from "../shell/notify.ts";
import { t } from "../text/text.ts";
import { moment } from "../text/time.ts";
import { Icon } from "../ui/Icon.tsx";
import type { Completing } from "./completion.ts";
import { Completions } from "./completions.ts";
import { enterOf } from "./enter.ts";
import type { Suggestion } from "./suggestions.ts";
import { Closed, Context } from "./parts.tsx";
import { begin, unfinished } from "./unfinished.ts";
import { bodyOf, excess, limitedUntil, linked, slowUntil } from "./text.ts";

interface Props {
  conversation: Conversation;
  state: RoomState;
  title: string;
  /** Gets the composer while it is there: a component's `ref` would be one of its properties. */
  handle: { current: ComposerHandle | null };
}

export interface ComposerHandle {
  focus(): void;
  reply(line: Line): void;
  edit(line: Line): void;
}

interface State {
  text: string;
  replying: Line | undefined;
  editing: Line | undefined;
  fault: string | undefined;
  now: number;
}

/** When something was sent last from here, by room; for slow mode, before the server's word. */
const sentAt = new Map<string, number>();

forgets(() => sentAt.clear());

/** Where one writes. Nothing of what was written is lost by a refusal, by leaving or by a reload. */
export class Composer extends Component<Props, State> implements ComposerHandle {
  readonly #box = createRef<HTMLTextAreaElement>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #composing = false;
  #suggestions: typeof import("./suggestions.ts").suggestions | undefined;
  readonly #completions = new Completions((at) => this.#suggest(at));
  readonly #room = this.props.conversation.room_id;

  override state: State = {
    text: this.props.state.draft,
    replying: undefined,
    editing: undefined,
    ...unfinished(this.#room),
    fault: undefined,
    now: Date.now(),
  };

  /** What stood there before an edit, and stands there again behind it: what the room's state says of it may be some moments old. */
  #draft = this.props.state.draft;

  override componentDidMount(): void {
    this.props.handle.current = this;
    this.#fit();
    this.#tick();
  }

  override componentWillUnmount(): void {
    if (this.props.handle.current === this) this.props.handle.current = null;
    clearInterval(this.#timer);
    this.#keep();
    client().stopTyping();
  }

  override componentDidUpdate(before: Props): void {
    this.#tick();
    const { draft } = this.props.state;
    if (draft !== before.state.draft) this.#draft = draft;
    // Another tab wrote on.
    if (draft !== before.state.draft && !this.state.editing && document.activeElement !== this.#box.current && draft !== this.state.text) this.#write(draft);
  }

  focus(): void {
    this.#box.current?.focus({ preventScroll: true });
  }

  reply(line: Line): void {
    if (this.state.editing) this.#stopEditing();
    begin(this.#room, { replying: line });
    this.setState({ replying: line });
    this.focus();
  }

  edit(line: Line): void {
    if (!this.state.editing) this.#draft = this.state.text;
    this.#keep();
    begin(this.#room, { editing: line, text: line.body ?? "" });
    this.setState({ editing: line, fault: undefined });
    this.#write(line.body ?? "");
    this.focus();
  }

  #stopEditing(): void {
    begin(this.#room, { editing: undefined });
    this.setState({ editing: undefined, fault: undefined });
    this.#write(this.#draft);
  }

  #stopReplying(): void {
    begin(this.#room, { replying: undefined });
    this.setState({ replying: undefined });
    this.focus();
  }

  /** Puts a text into the box. */
  #write(text: string, caret = text.length): void {
    const box = this.#box.current;
    if (box) {
      box.value = text;
      box.setSelectionRange(caret, caret);
    }
    this.#completions.close();
    this.setState({ text });
    this.#fit();
  }

  #wrote(text: string): void {
    if (this.state.editing) begin(this.#room, { text });
    else this.props.conversation.view.setDraft(text);
  }

  /** Keeps what was written as the room's draft. */
  #keep(): void {
    const { conversation, state } = this.props;
    if (!this.state.editing && this.state.text !== state.draft) conversation.view.setDraft(this.state.text);
  }

  /** As high as its text, where the browser does not see to it. */
  #fit(): void {
    const box = this.#box.current;
    if (!box || CSS.supports("field-sizing", "content")) return;
    box.style.height = "auto";
    box.style.height = `${box.scrollHeight + 2}px`;
  }

  /** Counts seconds as long as there are any to count. */
  #tick(): void {
    const waits = Math.max(this.#waitsUntil(), localTime(this.props.conversation.mutedUntil)) > Date.now();
    if (waits && this.#timer === undefined) this.#timer = setInterval(() => this.setState({ now: Date.now() }), 500);
    if (!waits && this.#timer !== undefined) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  #slowUntil(): number {
    const { conversation, state } = this.props;
    const last = Math.max(localTime(conversation.lastOwn()?.ts ?? 0), sentAt.get(state.room.room_id) ?? 0);
    return slowUntil(state.room.slow_mode_s, state.room.role, last || undefined);
  }

  /** Until when what was written before has to wait: nothing more is taken until then. */
  #limitedUntil(): number {
    return limitedUntil(this.props.conversation.pending.value);
  }

  #waitsUntil(): number {
    return this.state.editing ? 0 : Math.max(this.#slowUntil(), this.#limitedUntil());
  }

  #onInput = (): void => {
    const box = this.#box.current!;
    const text = box.value;
    const { conversation } = this.props;
    this.setState({ text, fault: undefined });
    this.#fit();
    this.#wrote(text);
    if (text.trim() === "") client().stopTyping();
    else if (prefs.value.tellTyping && !this.state.editing) conversation.view.typing();
    this.#complete();
  };

  #complete = (): void => {
    const box = this.#box.current;
    if (box && !this.#composing && this.#completions.look(box.value, box.selectionStart)) this.#draw();
  };

  #draw(): void {
    this.setState({});
  }

  #closeCompletions(): void {
    if (this.#completions.close()) this.#draw();
  }

  /** What is there already; the list is looked at again when more is. */
  #suggest(at: Completing): readonly Suggestion[] {
    const { conversation, state } = this.props;
    if (!this.#suggestions) {
      extras().then(
        ({ suggestions }) => {
          this.#suggestions = suggestions;
          this.#complete();
        },
        () => undefined, // one can write without
      );
      return [];
    }
    if (at.sign === "@" && state.room.type !== "direct" && state.room.member_count <= 2000 && !conversation.members.value) {
      void conversation.view.loadMembers().then(this.#complete, () => {});
    }
    return this.#suggestions(at, state.room, conversation.members.value, this.#complete);
  }

  /** An address on a selection names what it leads to; without marks for links, behind it. */
  #onPaste = (event: ClipboardEvent): void => {
    const box = this.#box.current!;
    const text = linked(box.value.slice(box.selectionStart, box.selectionEnd), event.clipboardData?.getData("text/plain") ?? "");
    if (text === undefined) return;
    event.preventDefault();
    // The one way by which the browser can undo it.
    if (!document.execCommand("insertText", false, text)) box.setRangeText(text, box.selectionStart, box.selectionEnd, "end");
    this.#onInput();
  };

  #take(suggestion?: Suggestion): void {
    const taken = this.#completions.take(this.#box.current!.value, suggestion);
    if (!taken) return;
    this.#write(taken.text, taken.caret);
    this.focus();
    this.#wrote(taken.text);
  }

  #onKeyDown = (event: KeyboardEvent): void => {
    const composing = this.#composing || event.isComposing || event.keyCode === 229;
    if (composing) return;
    const { editing, replying } = this.state;
    if (this.#completions.found.length > 0) {
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      if (step !== 0 && !event.altKey) {
        event.preventDefault();
        this.#completions.step(step);
        this.#draw();
        return;
      }
      if ((event.key === "Enter" && !event.shiftKey) || event.key === "Tab") {
        event.preventDefault();
        this.#take();
        return;
      }
      if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        this.#closeCompletions();
        return;
      }
    }
    if (event.key === "Escape" && (editing || replying)) {
      event.preventDefault();
      event.stopPropagation();
      if (editing) this.#stopEditing();
      else this.#stopReplying();
      return;
    }
    if (event.key === "ArrowUp" && this.#box.current!.value === "" && !event.altKey && !event.shiftKey && !editing) {
      const last = this.props.conversation.lastOwn();
      if (last && this.props.state.room.archived_at === undefined) {
        event.preventDefault();
        this.edit(last);
      }
      return;
    }
    if (enterOf(event, prefs.value.enterSends) === "send") {
      event.preventDefault();
      this.#send();
    }
  };

  #send(): void {
    const { conversation, state } = this.props;
    const { editing, replying } = this.state;
    const body = bodyOf(this.#box.current!.value);
    if (body === undefined) {
      if (editing) this.#stopEditing();
      return;
    }
    const over = excess(body);
    if (over > 0) {
      this.setState({ fault: t("composer.tooLong", { n: over }) });
      return;
    }
    if (editing) {
      const seq = editing.seq!;
      this.#stopEditing();
      if (body !== editing.body)
        void attempt(() => conversation.view.edit(seq, body)).then((well) => {
          // What was written is not lost by a refusal.
          if (!well && this.#box.current?.value === "") this.edit({ ...editing, body });
        });
      return;
    }
    if (this.#waitsUntil() > Date.now()) {
      this.setState({ now: Date.now() });
      return;
    }
    try {
      conversation.view.send(body, replying?.seq === undefined ? {} : { reply_to: replying.seq });
    } catch (error) {
      this.setState({ fault: faultText(error) });
      return;
    }
    sentAt.set(state.room.room_id, Date.now());
    begin(this.#room, { replying: undefined });
    conversation.sent();
    conversation.view.setDraft("");
    this.setState({ replying: undefined, fault: undefined });
    this.#write("");
    this.focus();
    offerNotifications();
  }

  override render({ state, title, conversation }: Props, s: State) {
    const { room } = state;
    if (room.archived_at !== undefined) return <Closed text={t("room.archived")} />;
    if (room.encryption) return <Closed text={t("sealed.hint")} />;
    if (room.type === "direct" && blocked.value.has(room.peer_id)) {
      const peer = room.peer_id;
      return <Closed text={t("composer.blocked", { name: nameOf(peer) })} does={t("composer.unblock")} act={() => void attempt(async () => (await extras()).setBlocked(peer, false))} />;
    }
    const muted = conversation.mutedUntil;
    if (localTime(muted) > Date.now()) return <Closed text={t("composer.muted", { time: moment(muted) })} />;
    const left = Math.ceil((this.#waitsUntil() - Date.now()) / 1000);
    const note = this.#note(left);
    const { found: list, chosen } = this.#completions;
    return (
      <form
        class="composer"
        onSubmit={(event) => {
          event.preventDefault();
          this.#send();
        }}
      >
        {list.length > 0 && (
          <div class="completions" role="listbox" id="completions" aria-label={t("composer.suggestions")}>
            {list.map((one, i) => (
              <div
                key={one.insert}
                id={`completion-${i}`}
                role="option"
                aria-selected={i === chosen}
                class="menu-item"
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => this.#take(one)}
              >
                <span aria-hidden="true">{one.sign}</span>
                <bdi>{one.label}</bdi>
                <span class="hint">{one.hint}</span>
              </div>
            ))}
          </div>
        )}
        <div class="composer-box">
          {s.editing && (
            <Context text={t("composer.editing")} stop={() => this.#stopEditing()} />
          )}
          {!s.editing && s.replying && (
            <Context text={t("composer.replying", { name: nameOf(s.replying.sender_id) })} more={s.replying.body?.slice(0, 120)} stop={() => this.#stopReplying()} />
          )}
          <div class="composer-row">
            <textarea
              ref={this.#box}
              id="composer"
              rows={1}
              dir={s.text === "" ? undefined : "auto"}
              defaultValue={s.text}
              placeholder={t("composer.placeholder", { room: title })}
              aria-label={t("composer.label", { room: title })}
              aria-describedby={note ? "composer-note" : undefined}
              aria-autocomplete="list"
              aria-controls={list.length > 0 ? "completions" : undefined}
              aria-activedescendant={list.length > 0 ? `completion-${chosen}` : undefined}
              enterkeyhint={prefs.value.enterSends ? "send" : "enter"}
              autocomplete="off"
              onInput={this.#onInput}
              onKeyDown={this.#onKeyDown}
              onPaste={this.#onPaste}
              onSelect={this.#complete}
              onCompositionStart={() => (this.#composing = true)}
              onCompositionEnd={() => {
                this.#composing = false;
                this.#onInput();
              }}
              onBlur={() => {
                client().stopTyping();
                this.#closeCompletions();
              }}
            />
            <button
              type="submit"
              class={left > 0 ? "icon-button send counts" : "icon-button send"}
              disabled={left > 0 || s.text.trim() === ""}
              aria-label={left > 0 ? undefined : t(s.editing ? "app.save" : "composer.send")}
              title={t("composer.send")}
            >
              {left > 0 ? t("composer.wait", { n: left }) : <Icon name={s.editing ? "check" : "send"} />}
            </button>
          </div>
        </div>
        {note && (
          <div id="composer-note" class={s.fault ? "composer-note fault" : "composer-note"} role={s.fault ? "alert" : undefined}>
            {note}
          </div>
        )}
      </form>
    );
  }

  #note(left: number): string | undefined {
    const { text, fault } = this.state;
    const { room } = this.props.state;
    if (fault) return fault;
    if (left > 0 && text.trim() !== "") return t(this.#limitedUntil() > Date.now() ? "composer.limited" : "composer.slow", { n: left });
    if (connection.value.state === "waiting" || connection.value.state === "stopped") return t("composer.offline");
    if (/(?:^|[^\p{L}\p{N}_@.])@all(?![\p{L}\p{N}_])/u.test(text) && room.member_count > 1 && (rules(room) || room.member_count <= 32))
      return t("composer.all", { n: room.member_count - 1 });
    return undefined;
  }
}
