import { enMore } from "../text/en-more.ts";
import { addEnglish } from "../text/text.ts";

addEnglish(enMore);

/** What is not there at first, but soon after: in one file, with its texts. */
export { suggestions } from "../compose/suggestions.ts";
export { messageChoices } from "../conversation/messageChoices.ts";
export { StrangeRoom } from "../conversation/StrangeRoom.tsx";
export { Panel } from "../details/Panel.tsx";
export { Dialogs } from "../dialogs/Dialogs.tsx";
export { watchBlocks } from "../people/blocks.ts";
export { personChoices, setBlocked } from "../people/choices.ts";
export { joinBy } from "../rooms/joinBy.ts";
export { Invitations, Offer } from "../rooms/Notices.tsx";
export { Menu } from "../ui/Menu.tsx";
export { Question } from "../ui/Question.tsx";
export { watchPresence } from "../people/watch.ts";
export { beginAll } from "./beginAll.ts";
export { ConnectionBar } from "./ConnectionBar.tsx";
export { startNotifying } from "./notifying.ts";
export { watchKeys } from "./onKey.ts";
export { countInTitle } from "./title.ts";
export { watchForUpdates } from "./update.ts";
