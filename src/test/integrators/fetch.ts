// Calls a node by the client that OpenAPI Generator made: node fetch.js URL.
import { AccessApi, Configuration, MessagesApi, RoomsApi } from "./generated";

async function main(basePath: string): Promise<void> {
  const open = new AccessApi(new Configuration({ basePath }));
  const signUp = { handle: "tess", password: "correct horse" };
  await open.signUp({ signUp });
  const tokens = await open.signIn({ signIn: signUp });
  const own = new Configuration({ basePath, accessToken: tokens.accessToken });
  const room = await new RoomsApi(own).createRoom({ newRoom: { type: "channel", name: "Fetch" } });
  const messages = new MessagesApi(own);
  await messages.sendMessage({ roomId: room.roomId, send: { clientId: "f-1", body: "Hello" } });
  const { events } = await messages.readEvents({ roomId: room.roomId, epoch: room.epoch, afterRev: 0 });
  console.log(events.map((event) => ("body" in event ? event.body : event.type)).join(" "));
}

main(process.argv[2] ?? "").catch((refused: unknown) => {
  console.error(refused);
  process.exitCode = 1;
});
