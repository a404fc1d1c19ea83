package io.confab.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.processors.PublishProcessor;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GzipTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "gzip | true",
        "br, GZIP;q=0.1 | true",
        "* | true",
        "identity;q=0.5, gzip | true",
        "gzip;q=0 | false",
        "gzip;q=0, * | false",
        "*;q=0 | false",
        "br | false",
        "gzip;q=0.5, identity | false",
        "~~ | false",
      })
  void itIsForThoseWhoLikeItBest(String header, boolean accepted) {
    assertThat(Gzip.isAccepted(List.of(header))).isEqualTo(accepted);
  }

  @Test
  void itHoldsTheContent() throws IOException {
    Buffer content = Buffer.buffer("Hi \uD83D\uDC4D ".repeat(10_000));

    Buffer gzip = Gzip.of(content);

    assertThat(gzip.length()).isLessThan(content.length() / 10);
    assertThat(read(gzip, content.length())).isEqualTo(content);
  }

  @Test
  void aPieceCanBeReadBeforeTheNextOneIsThere() throws IOException {
    PublishProcessor<Buffer> content = PublishProcessor.create();
    Buffer came = Buffer.buffer();
    var sent = Gzip.of(content).subscribe(came::appendBuffer);

    content.onNext(Buffer.buffer("one\n"));
    assertThat(read(came, 4).toString()).isEqualTo("one\n");
    content.onNext(Buffer.buffer("two\n"));
    assertThat(read(came, 8).toString()).isEqualTo("one\ntwo\n");
    content.onComplete();

    assertThat(sent.isDisposed()).isTrue();
    assertThat(new GZIPInputStream(new ByteArrayInputStream(came.getBytes())).readAllBytes())
        .asString()
        .isEqualTo("one\ntwo\n");
  }

  @Test
  void whatFailsHasNoEnd() {
    Flowable<Buffer> broken =
        Flowable.just(Buffer.buffer("one"))
            .concatWith(Flowable.error(new IllegalStateException("away")));

    Gzip.of(broken).test().assertValueCount(1).assertError(IllegalStateException.class);
  }

  private static Buffer read(Buffer gzip, int length) throws IOException {
    var in = new GZIPInputStream(new ByteArrayInputStream(gzip.getBytes()));
    return Buffer.buffer(in.readNBytes(length));
  }
}
