package io.confab.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.account.AccountCommand;
import io.confab.message.MessageCommand;
import io.confab.protocol.ClientId;
import io.confab.protocol.EntityTag;
import io.confab.protocol.Epoch;
import io.confab.protocol.EventFrames;
import io.confab.protocol.InvitesFrom;
import io.confab.protocol.Message;
import io.confab.protocol.MessageType;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.protocol.Seq;
import io.confab.protocol.VisibleTo;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Which answers come as gzip, and what they hold then.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CompressionIT {
  private static final String HISTORY = "/v1/rooms/0000000000007/messages";
  private static final String EVENTS = "/v1/rooms/0000000000007/events?epoch=1&after_rev=0";
  private static final String EXPORT = "/v1/rooms/0000000000007/export";

  private final ApiServer api = new ApiServer();
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterAll
  void close() {
    client.close();
    api.close();
  }

  private HttpResponse<byte[]> call(String method, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + path))
            .version(HttpClient.Version.HTTP_1_1)
            .timeout(Duration.ofSeconds(60))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .header("authorization", "Bearer " + ApiServer.TOKEN);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static MessageCommand.HistoryPage page(int messages) {
    List<Message> all =
        LongStream.rangeClosed(1, messages)
            .mapToObj(
                seq ->
                    new Message(
                        new RoomId(7),
                        new Seq(seq),
                        new Rev(seq),
                        null,
                        ApiServer.ALICE.account(),
                        new ClientId("c" + seq),
                        MessageType.TEXT,
                        "Hello " + seq,
                        null,
                        null,
                        null,
                        1,
                        null,
                        null,
                        null))
            .toList();
    return new MessageCommand.HistoryPage(
        all, false, false, new Epoch(1), new Seq(messages), new Rev(messages));
  }

  private static String unzipped(HttpResponse<byte[]> answer) throws IOException {
    assertThat(answer.headers().firstValue("content-encoding")).contains("gzip");
    byte[] bytes = new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes();
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void assertPlain(HttpResponse<byte[]> answer) {
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-encoding")).isEmpty();
  }

  @Test
  void aPageOfHistoryIsCompressedForWhoAcceptsIt() throws Exception {
    api.reply(page(50));
    HttpResponse<byte[]> plain = call("GET", HISTORY);
    HttpResponse<byte[]> gzip = call("GET", HISTORY, "accept-encoding", "br, gzip");

    assertPlain(plain);
    assertThat(plain.headers().allValues("vary")).contains("accept-encoding");
    assertThat(gzip.headers().allValues("vary")).contains("accept-encoding");
    assertThat(unzipped(gzip)).isEqualTo(new String(plain.body(), StandardCharsets.UTF_8));
    assertThat(gzip.body().length).isLessThan(plain.body().length / 4);
  }

  @Test
  void aPageOfEventsIsCompressedForWhoAcceptsIt() throws Exception {
    List<byte[]> frames =
        LongStream.rangeClosed(1, 50)
            .mapToObj(rev -> EventFrames.hidden(new RoomId(7), new Rev(rev), new Epoch(1)))
            .toList();
    api.reply(new MessageCommand.LogPage(new Epoch(1), true, frames, new Rev(50), false));
    HttpResponse<byte[]> plain = call("GET", EVENTS);
    HttpResponse<byte[]> gzip = call("GET", EVENTS, "accept-encoding", "gzip");

    assertPlain(plain);
    assertThat(plain.headers().allValues("vary")).contains("accept-encoding");
    assertThat(unzipped(gzip)).isEqualTo(new String(plain.body(), StandardCharsets.UTF_8));
    assertThat(gzip.body().length).isLessThan(plain.body().length / 4);
  }

  @Test
  void aTicketStaysPlainHoweverLongItIs() throws Exception {
    Secret secret = new Secret("s".repeat(5_000));
    api.reply(new AccountCommand.Ticket(secret, Duration.ofSeconds(30)));

    HttpResponse<byte[]> answer = call("POST", "/v1/tickets", "accept-encoding", "gzip");

    assertPlain(answer);
    assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains(secret.value());
  }

  /// While no worker is free, a large page waits for one, and the event loop for nothing.
  @Test
  void aLargePageIsCompressedBesideTheEventLoop() throws Exception {
    api.reply(page(2_000));
    CountDownLatch free = new CountDownLatch(1);
    api.holdWorkers(free);
    int before = api.statuses().size();
    CompletableFuture<HttpResponse<byte[]>> large =
        CompletableFuture.supplyAsync(() -> large("accept-encoding", "gzip"));
    await().until(() -> api.statuses().size() > before);

    String plain = new String(large("accept-encoding", "identity").body(), StandardCharsets.UTF_8);
    assertThat(plain.length()).isGreaterThan(Gzip.MOST_BYTES_ON_A_LOOP);
    assertThat(large).isNotDone();
    free.countDown();
    assertThat(unzipped(large.get())).isEqualTo(plain);
  }

  private HttpResponse<byte[]> large(String... headers) {
    try {
      return call("GET", HISTORY, headers);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void nothingIsCompressedForAHeadAlone() throws Exception {
    api.reply(page(50));
    HttpResponse<byte[]> plain = call("HEAD", HISTORY);
    HttpResponse<byte[]> gzip = call("HEAD", HISTORY, "accept-encoding", "gzip");

    assertPlain(plain);
    assertThat(plain.headers().firstValueAsLong("content-length"))
        .hasValue(call("GET", HISTORY).body().length);
    assertThat(gzip.headers().map())
        .containsEntry("content-encoding", List.of("gzip"))
        .containsKey("content-type")
        .doesNotContainKey("content-length");
    assertThat(gzip.headers().allValues("vary")).contains("accept-encoding");
  }

  @Test
  void anExportIsCompressedPieceByPieceToItsEnd() throws Exception {
    api.reply(page(200));

    String lines = unzipped(call("GET", EXPORT, "accept-encoding", "gzip"));

    assertThat(lines.lines()).hasSize(201).last().asString().contains("\"end\":true");
    assertThat(lines).isEqualTo(new String(call("GET", EXPORT).body(), StandardCharsets.UTF_8));
  }

  @Test
  void whatIsSmallIsLeftAlone() throws Exception {
    api.reply(page(1));

    assertPlain(call("GET", HISTORY, "accept-encoding", "gzip"));
  }

  @Test
  void otherAnswersStayPlainHoweverLongTheyAre() throws Exception {
    api.reply(
        new AccountCommand.MeView(
            new AccountCommand.Me(
                ApiServer.ALICE.account(),
                "alice",
                "A".repeat(5_000),
                InvitesFrom.EVERYONE,
                VisibleTo.SHARED_ROOMS,
                VisibleTo.SHARED_ROOMS,
                false),
            new EntityTag("a")));

    HttpResponse<byte[]> answer = call("GET", "/v1/me", "accept-encoding", "gzip");

    assertPlain(answer);
    assertThat(answer.headers().allValues("vary")).doesNotContain("accept-encoding");
  }
}
