import "../styles/index.css";
import { start } from "./shell/start.tsx";
import { t } from "./text/text.ts";

start().catch((error: unknown) => {
  console.error(error);
  document.getElementById("app")!.textContent = t("app.fullScript");
});
