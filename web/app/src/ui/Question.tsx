import { useState } from "preact/hooks";
import type { Question as Asked } from "../shell/dialogs.ts";
import { t } from "../text/text.ts";
import { Dialog } from "./Dialog.tsx";

/** Asks before something is done that others will feel. */
export function Question({ question }: { question: Asked }) {
  const [text, setText] = useState("");
  return (
    <Dialog title={question.does} kind="small" onClose={() => question.answer(undefined)}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          question.answer(text);
        }}
      >
        <p dir="auto">{question.text}</p>
        {question.input !== undefined && (
          <div class="field">
            <label for="question-text">{question.input}</label>
            <input class="input" id="question-text" dir="auto" maxLength={500} value={text} onInput={(event) => setText(event.currentTarget.value)} />
          </div>
        )}
        <div class="dialog-foot">
          <button type="button" class="button" onClick={() => question.answer(undefined)}>
            {t("app.cancel")}
          </button>
          <button type="submit" class={question.danger ? "button primary danger" : "button primary"}>
            {question.does}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
