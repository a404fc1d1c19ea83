import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AccessApi;
import org.openapitools.client.api.AdministrationApi;
import org.openapitools.client.api.MessagesApi;
import org.openapitools.client.api.RoomsApi;
import org.openapitools.client.auth.ApiKeyAuth;
import org.openapitools.client.auth.HttpBearerAuth;
import org.openapitools.client.model.BotToken;
import org.openapitools.client.model.Event;
import org.openapitools.client.model.NewBot;
import org.openapitools.client.model.NewRoom;
import org.openapitools.client.model.ReceivedMessage;
import org.openapitools.client.model.Room;
import org.openapitools.client.model.RoomType;
import org.openapitools.client.model.Send;
import org.openapitools.client.model.SignIn;
import org.openapitools.client.model.SignUp;

// Calls a node by the client that OpenAPI Generator made, in the Java 8 of its pom: Call URL API_KEY.
public final class Call {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient().setBasePath(args[0]);
    AccessApi access = new AccessApi(client);
    access.signUp(new SignUp().handle("jay").password("correct horse"));
    String token =
        access.signIn(new SignIn().handle("jay").password("correct horse")).getAccessToken();
    ((HttpBearerAuth) client.getAuthentication("accessToken")).setBearerToken(token);
    Room room =
        new RoomsApi(client).createRoom(new NewRoom().type(RoomType.CHANNEL).name("Java"), null);
    MessagesApi messages = new MessagesApi(client);
    messages.sendMessage(room.getRoomId(), new Send().clientId("j-1").body("Hello"));
    for (Event event :
        messages.readEvents(room.getEpoch(), 0L, room.getRoomId(), null).getEvents()) {
      Object told = event.getActualInstance();
      System.out.println(
          told instanceof ReceivedMessage ? ((ReceivedMessage) told).getBody() : "room.event");
    }
    ApiClient backend = new ApiClient().setBasePath(args[0]);
    ((ApiKeyAuth) backend.getAuthentication("apiKey")).setApiKeyPrefix("Key");
    ((ApiKeyAuth) backend.getAuthentication("apiKey")).setApiKey(args[1]);
    BotToken bot =
        new AdministrationApi(backend).makeBot(new NewBot().handle("weather"), null);
    System.out.println(bot.getToken().isEmpty() ? "no token" : "a token of a bot");
  }
}
