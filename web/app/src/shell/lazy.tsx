import type { ComponentType, FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../text/text.ts";
import { patiently } from "./patiently.ts";

/** What is loaded later; the same promise for all. */
export const extras = () => import("./extras.ts");

/** A component whose script is loaded when it is first shown. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): FunctionComponent<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [state, setState] = useState(loaded ? "ready" : "loading");
    useEffect(() => {
      if (loaded) return;
      let over = false;
      patiently(load).then(
        (component) => {
          loaded = component;
          if (!over) setState("ready");
        },
        () => over || setState("failed"),
      );
      return () => {
        over = true;
      };
    }, []);
    const Loaded = loaded;
    if (Loaded) return <Loaded {...props} />;
    // Files of an older build are gone, and some browsers remember what failed: the page begins anew.
    return state === "failed" ? (
      <p class="fault" role="alert">
        {t("fault.offline")}{" "}
        <button type="button" class="button" onClick={() => location.reload()}>
          {t("app.retry")}
        </button>
      </p>
    ) : null;
  };
}
