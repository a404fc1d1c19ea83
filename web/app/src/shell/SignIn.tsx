import { useState } from "preact/hooks";
import { ConfabError } from "@confab/client";
import { client } from "../session/state.ts";
import { faultText } from "../session/faults.ts";
import { LANGUAGES, t, type Language } from "../text/text.ts";
import { Logo } from "../ui/Icon.tsx";
import { prefer, prefs } from "./prefs.ts";
import { route } from "./route.ts";

/** Signing in, and making an account. */
export function SignIn({ why, handle }: { why?: string | undefined; handle?: string | undefined }) {
  const [anew, setAnew] = useState(route.value.name === "invite");
  const [fault, setFault] = useState<{ field?: "handle" | "password"; text: string }>();
  const [busy, setBusy] = useState(false);
  const [open, setOpen] = useState(false);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const given = (name: string) => String(form.get(name) ?? "");
    const handle = given("handle").trim().replace(/^@/, "");
    const password = given("password");
    if (anew && !/^[A-Za-z0-9][A-Za-z0-9_.-]{1,31}$/.test(handle)) return setFault({ field: "handle", text: t("sign.badHandle") });
    if (anew && (password.length < 8 || password.length > 128)) return setFault({ field: "password", text: t("sign.shortPassword") });
    setBusy(true);
    setFault(undefined);
    let missing = anew;
    try {
      if (missing) await client().signUp(handle, password, given("name").trim() || undefined);
      missing = false;
      await client().signIn(handle, password);
    } catch (error) {
      setAnew(missing); // an account that is there is not made again
      setFault(faultOf(error, missing));
    }
    setBusy(false);
  };

  const describe = (name: string) => (fault?.field === name ? "sign-fault" : anew ? `${name}-hint` : undefined);
  return (
    <main class="welcome">
      <div class="welcome-card">
        <div class="brand">
          <Logo />
          {t("app.name")}
        </div>
        <form class="stack" onSubmit={submit} noValidate>
          <h1 class="sr-only">{t(anew ? "sign.up" : "sign.in")}</h1>
          {why !== undefined && !fault && <p class="hint" role="status">{t("sign.ended")}</p>}
          <div class="field">
            <label for="handle">{t("sign.handle")}</label>
            <input
              class="input"
              id="handle"
              name="handle"
              defaultValue={handle ?? ""}
              autocomplete="username"
              autocapitalize="none"
              spellcheck={false}
              dir="ltr"
              required
              maxLength={40}
              aria-invalid={fault?.field === "handle"}
              aria-describedby={describe("handle")}
            />
            {anew && <p class="hint" id="handle-hint">{t("sign.handleHint")}</p>}
          </div>
          {anew && (
            <div class="field">
              <label for="name">{t("sign.name")}</label>
              <input class="input" id="name" name="name" autocomplete="name" dir="auto" maxLength={80} aria-describedby="name-hint" />
              <p class="hint" id="name-hint">{t("sign.nameHint")}</p>
            </div>
          )}
          <div class="field">
            <label for="password">{t("sign.password")}</label>
            <input
              class="input"
              id="password"
              name="password"
              type={(open ? "text" : "password") as "password"}
              autocomplete={anew ? "new-password" : "current-password"}
              dir="ltr"
              required
              maxLength={128}
              aria-invalid={fault?.field === "password"}
              aria-describedby={describe("password")}
            />
            {anew && <p class="hint" id="password-hint">{t("sign.passwordHint")}</p>}
            <label class="check hint">
              <input type="checkbox" checked={open} onChange={(event) => setOpen(event.currentTarget.checked)} />
              {t("sign.showPassword")}
            </label>
          </div>
          {fault && <p class="fault" id="sign-fault" role="alert">{fault.text}</p>}
          <button type="submit" class="button primary" disabled={busy}>
            {busy && <span class="spinner" />}
            {t(anew ? "sign.up" : "sign.in")}
          </button>
          <button
            type="button"
            class="text-button"
            onClick={() => {
              setAnew(!anew);
              setFault(undefined);
            }}
          >
            {t(anew ? "sign.haveAccount" : "sign.noAccount")}
          </button>
        </form>
        <div class="welcome-foot line spread">
          <label class="sr-only" for="sign-language">{t("settings.language")}</label>
          <select
            class="input"
            id="sign-language"
            value={prefs.value.language}
            onChange={(event) => prefer({ language: event.currentTarget.value as Language })}
          >
            {Object.entries(LANGUAGES).map(([code, one]) => (
              <option key={code} value={code} lang={code}>{one.name}</option>
            ))}
          </select>
        </div>
      </div>
    </main>
  );
}

function faultOf(error: unknown, anew: boolean): { field?: "handle" | "password"; text: string } {
  if (error instanceof ConfabError) {
    if (error.code === "unauthorized") return { text: t("sign.wrong") };
    if (error.code === "conflict" && error.field === "handle") return { field: "handle", text: t("sign.taken") };
    if (error.code === "conflict" && anew) return { field: "handle", text: t("sign.taken") };
    if (error.code === "forbidden") return { text: t(anew ? "sign.closed" : "sign.suspended") };
    if (error.code === "invalid_field" && error.field === "handle") return { field: "handle", text: t("sign.badHandle") };
    if (error.code === "invalid_field" && error.field === "password") return { field: "password", text: t(anew ? "sign.shortPassword" : "sign.wrong") };
  }
  return { text: faultText(error) };
}
