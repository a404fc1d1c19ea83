import type { Open } from "../shell/dialogs.ts";
import { Create } from "./Create.tsx";
import { Direct } from "./Direct.tsx";
import { Find } from "./Find.tsx";
import { Keys } from "./Keys.tsx";
import { Readers } from "./Readers.tsx";
import { Switcher } from "./Switcher.tsx";
import { Versions } from "./Versions.tsx";
import { Settings } from "../settings/Settings.tsx";

/** The dialog that is open. */
export function Dialogs({ open }: { open: Open }) {
  switch (open.name) {
    case "settings":
      return <Settings />;
    case "keys":
      return <Keys />;
    case "switcher":
      return <Switcher />;
    case "find":
      return <Find />;
    case "create":
      return <Create />;
    case "direct":
      return <Direct />;
    case "versions":
      return <Versions room={open.room} line={open.line} />;
    case "readers":
      return <Readers room={open.room} line={open.line} />;
  }
}
