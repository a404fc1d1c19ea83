// Calls a node by the client that OpenAPI Generator made: node fetch.js URL API_KEY.
import { AccessApi, AdministrationApi, Configuration, MessagesApi, RoomsApi } from "./generated";

async function main(basePath: string, apiKey: string): Promise<void> {
  const open = new AccessApi(new Configuration({ basePath }));
  const signUp = { handle: "tess", password: "correct horse" };
  await open.signUp({ signUp });
  const tokens = await open.signIn({ signIn: signUp });
  const own = new Configuration({ basePath, accessToken: tokens.accessToken });
  const room = await new RoomsApi(own).createRoom({ newRoom: { type: "channel", name: "Fetch" } });
  const messages = new MessagesApi(own);
  await messages.sendMessage({ roomId: room.roomId, send: { clientId: "f-1", body: "Hello" } });
  const { events } = await messages.readEvents({ roomId: room.roomId, epoch: room.epoch, afterRev: 0 });
  const backend = new Configuration({ basePath, apiKey: `Key ${apiKey}` });
  const { token } = await new AdministrationApi(backend).makeBot({ newBot: { handle: "wind" } });
  console.log(events.map((event) => ("body" in event ? event.body : event.type)).join(" "));
  console.log(token ? "a token of a bot" : "no token");
}

main(process.argv[2] ?? "", process.argv[3] ?? "").catch((refused: unknown) => {
  console.error(refused);
  process.exitCode = 1;
});
