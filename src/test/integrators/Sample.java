import io.confab.protocol.Secret;
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
