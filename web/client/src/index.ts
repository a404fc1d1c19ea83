export { openClient, type ClientOptions } from "./client/open.ts";
export type { Client, HistoryQuery, Page, RoomView } from "./client/client.ts";
export type { Environment, SocketLike } from "./client/environment.ts";

export type * from "./protocol/values.ts";
export type * from "./protocol/things.ts";
export { isTombstone } from "./protocol/things.ts";
export type { ClientFrame, Limits, ServerFrame, Welcome } from "./protocol/frames.ts";

export { ConfabError, type LocalCode } from "./http/error.ts";
export { ConfabApi } from "./http/api.ts";
export type { AnswerOf, Input, Operation, OwnMarker } from "./http/operations.ts";

export type { Observable } from "./model/observable.ts";
export type * from "./model/views.ts";
export { messageKey } from "./model/views.ts";
export { applyUpdate } from "./model/messages.ts";

export type { Batch, Kept, KeptRoom, KeptSend, KeptSession, Store } from "./store/store.ts";
export { MemoryStore } from "./store/memory.ts";
export { IndexedDbStore } from "./store/indexedDb.ts";
export type { Channel as TabChannel, Locks as TabLocks } from "./tabs/platform.ts";

export { Rules, type RulesOptions } from "./rules/rules.ts";
export type { Input as RulesInput } from "./rules/input.ts";
export type { Output as RulesOutput, RoomPosition } from "./rules/output.ts";
