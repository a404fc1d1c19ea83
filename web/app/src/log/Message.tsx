import { useEffect, useState } from "preact/hooks";
import { Body } from "../body/Body.tsx";
import type { Mentioned } from "../body/parse.ts";
import { faultText } from "../session/faults.ts";
import { memo } from "../shell/memo.ts";
import { t } from "../text/text.ts";
import { clock, full, moment } from "../text/time.ts";
import { Avatar } from "../ui/Avatar.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Receipt } from "./Receipt.tsx";
import type { Line, Person, State } from "./types.ts";

/** What can be done with a message; one object for all of them, so that it is never another. */
export interface MessageActs {
  reply(line: Line): void;
  menu(line: Line, at: Element | { x: number; y: number }): void;
  edit(line: Line): void;
  jump(seq: number): void;
  retry(line: Line): void;
  discard(line: Line): void;
  versions(line: Line): void;
  readers(line: Line): void;
  person(account: string, at: Element): void;
}

interface Props {
  line: Line;
  first: boolean;
  own: boolean;
  sender: Person;
  state: State | undefined;
  /** What it replies to, as far as that is known here. */
  quoted: Line | undefined;
  quotedName: string | undefined;
  deletedBy: string | undefined;
  mentioned: Mentioned | undefined;
  mentionsMe: boolean;
  found: boolean;
  active: boolean;
  canEdit: boolean;
  canReply: boolean;
  seenBy: number;
  acts: MessageActs;
  /** Changes with the language, so that every text is written anew. */
  lang: string;
}

const LONG_CHARS = 3000;
const LONG_LINES = 30;

export const Message = memo(function Message(p: Props) {
  const { line, acts } = p;
  const deleted = line.deleted_at !== undefined;
  // A name alone is read in place of what stands in it.
  const content = `content-${line.key.replace(/\s/g, "_")}`;
  return (
    <article
      class={`message${p.first ? " first" : ""}${p.own ? " own" : ""}${p.mentionsMe && !deleted ? " mentions-me" : ""}${p.found ? " found" : ""}`}
      data-key={line.key}
      data-seq={line.seq}
      data-state={p.state}
      tabIndex={-1}
      aria-label={`${p.sender.display_name}, ${clock(line.ts)}`}
      aria-describedby={content}
    >
      <div class="message-side">
        {p.first ? (
          <Avatar id={line.sender_id} name={p.sender.display_name} person />
        ) : (
          <time dateTime={new Date(line.ts).toISOString()} title={full(line.ts)}>
            {clock(line.ts)}
          </time>
        )}
      </div>
      {p.first && (
        <header class="message-head">
          <button
            type="button"
            class="author"
            title={`@${p.sender.handle}`}
            tabIndex={p.active ? 0 : -1}
            onClick={(event) => acts.person(line.sender_id, event.currentTarget)}
          >
            <bdi>{p.sender.display_name}</bdi>
          </button>
          <time dateTime={new Date(line.ts).toISOString()} title={full(line.ts)}>
            {clock(line.ts)}
          </time>
        </header>
      )}
      <div class="message-content" id={content}>
        {line.reply_to !== undefined && !deleted && <Quote {...p} seq={line.reply_to} />}
        {line.topic && !deleted && (
          <div class="topic" dir="auto">
            {t("message.topic", { topic: line.topic })}
          </div>
        )}
        <div class="message-line">
          {deleted ? (
            <div class="body tombstone">
              {p.deletedBy ? t("message.deletedBy", { name: p.deletedBy }) : t("message.deleted")}
            </div>
          ) : (
            <Text body={line.body ?? ""} mentioned={p.mentioned} />
          )}
          {line.edited_at !== undefined && !deleted && (
            <button
              type="button"
              class="edited"
              tabIndex={p.active ? 0 : -1}
              title={full(line.edited_at)}
              aria-label={t("message.editedAt", { time: moment(line.edited_at) })}
              onClick={() => acts.versions(line)}
            >
              ({t("message.edited")})
            </button>
          )}
          {p.own && !deleted && <Receipt state={p.state} since={line.seq === undefined ? line.ts : undefined} />}
        </div>
        {p.state === "failed" && <Failed {...p} />}
        {line.retryAt !== undefined && p.state === "sending" && <RetryIn at={line.retryAt} />}
        {p.seenBy > 0 && (
          <div class="receipts">
            <button type="button" class="edited" onClick={() => acts.readers(line)}>
              {t("message.seenBy", { n: p.seenBy })}
            </button>
          </div>
        )}
      </div>
      {p.active && line.seq !== undefined && !deleted && <Actions {...p} />}
    </article>
  );
});

function Text({ body, mentioned }: { body: string; mentioned: Mentioned | undefined }) {
  const [open, setOpen] = useState(false);
  const long = body.length > LONG_CHARS || body.split("\n", LONG_LINES + 1).length > LONG_LINES;
  return (
    <div class="message-text">
      <div class={`body${long && !open ? " folded" : ""}${jumbo(body) ? " jumbo" : ""}`} dir="auto">
        <Body body={body} mentioned={mentioned} />
      </div>
      {long && (
        <button type="button" class="text-button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? "app.showLess" : "app.showMore")}
        </button>
      )}
    </div>
  );
}

/** One to three emoji and nothing else are shown large. */
function jumbo(body: string): boolean {
  return body.length <= 24 && /^(?:\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}\ufe0f]?(?:\u200d\p{Extended_Pictographic}\ufe0f?)*\s*){1,3}$/u.test(body);
}

function Quote({ seq, quoted, quotedName, acts }: Props & { seq: number }) {
  const name = quotedName ?? "";
  const gone = quoted?.deleted_at !== undefined;
  return (
    <button type="button" class="quote" onClick={() => acts.jump(seq)}>
      <span class="sr-only">{t("message.quote")}</span>
      {!gone && name && (
        <b>
          <bdi>{name}</bdi>
        </b>
      )}
      <span dir="auto">{gone ? t("message.quoteGone") : (quoted?.body?.slice(0, 200) ?? "…")}</span>
    </button>
  );
}

function Failed({ line, acts }: Props) {
  return (
    <div class="failed">
      <span>{line.fault ? faultText(line.fault) : t("message.failed")}</span>
      <button type="button" class="text-button" onClick={() => acts.retry(line)}>
        {t("message.retry")}
      </button>
      <button type="button" class="text-button" onClick={() => acts.discard(line)}>
        {t("message.discard")}
      </button>
    </div>
  );
}

/** Seconds until a refused send is tried again. */
function RetryIn({ at }: { at: number }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [at]);
  const left = Math.ceil((at - now) / 1000);
  return left > 0 ? <div class="hint">{t("message.sendsIn", { n: left })}</div> : null;
}

function Actions({ line, acts, canEdit, canReply }: Props) {
  return (
    <div class="actions" role="toolbar" aria-label={t("message.actions")}>
      {canReply && (
        <button type="button" class="icon-button" aria-label={t("message.reply")} title={t("message.reply")} onClick={() => acts.reply(line)}>
          <Icon name="reply" />
        </button>
      )}
      {canEdit && (
        <button type="button" class="icon-button" aria-label={t("message.edit")} title={t("message.edit")} onClick={() => acts.edit(line)}>
          <Icon name="edit" />
        </button>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label={t("app.more")}
        title={t("app.more")}
        aria-haspopup="menu"
        onClick={(event) => acts.menu(line, event.currentTarget)}
      >
        <Icon name="more" />
      </button>
    </div>
  );
}
