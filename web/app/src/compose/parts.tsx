import { t } from "../text/text.ts";
import { Icon } from "../ui/Icon.tsx";

/** Above the box: what is edited or replied to. */
export function Context({ text, more, stop }: { text: string; more?: string | undefined; stop: () => void }) {
  return (
    <div class="composer-context">
      <span dir="auto">
        {text}
        {more !== undefined && ` · ${more}`}
      </span>
      <button type="button" class="icon-button" aria-label={t("composer.stop")} title={t("composer.stop")} onClick={stop}>
        <Icon name="close" />
      </button>
    </div>
  );
}

/** In place of the box: why nothing can be written. */
export function Closed({ text, does, act }: { text: string; does?: string; act?: () => void }) {
  return (
    <div class="composer" id="composer" tabIndex={-1}>
      <p class="composer-closed">
        {text}{" "}
        {does && (
          <button type="button" class="text-button" onClick={act}>
            {does}
          </button>
        )}
      </p>
    </div>
  );
}

