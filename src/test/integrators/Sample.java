import io.confab.client.ClientListener;
import io.confab.client.ClientOptions;
import io.confab.client.ConfabApi;
import io.confab.client.ConfabClient;
import io.confab.client.CredentialStore;
import io.confab.client.HistoryPage;
import io.confab.client.HistoryQuery;
import io.confab.client.PendingSend;
import io.confab.client.RoomUpdate;
import io.confab.client.SentMessage;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.reactivex.rxjava3.disposables.Disposable;
import io.vertx.core.Vertx;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The sample of docs/client.md in a program of its own. */
public class Sample {
  public static void main(String[] arguments) {
    Vertx vertx = Vertx.vertx();
    List<URI> servers = List.of(URI.create(arguments[0]));
    Secret password = new Secret("correct horse");
    List<String> shown = new CopyOnWriteArrayList<>();
    // the sample
    System.out.println("stored as #" + stored.seq() + ", read " + page.messages().size());
    api.close();
    vertx.close().await();
  }
}
