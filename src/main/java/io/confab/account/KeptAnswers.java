package io.confab.account;

import io.confab.account.AccountCommand.Again;
import io.confab.account.AccountCommand.BeginOnce;
import io.confab.account.AccountCommand.Begun;
import io.confab.account.AccountCommand.KeepAnswer;
import io.confab.account.AccountCommand.LeaveUnanswered;
import io.confab.account.AccountCommand.Once;
import io.confab.bus.BusMessage;
import io.confab.bus.Done;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// Keeps what calls with a key were answered for 24 h, so that a repeated one gets the same. The
/// answers may hold secrets: they are encrypted (AES-256-GCM) under a key that all nodes share.
///
/// A call is begun before it is made, with a seed, of which comes what it makes: so when a node
/// dies in between, the next one that makes it finds what is there already (ADR 0040).
public final class KeptAnswers {
  /// Of one caller; the oldest go.
  static final int MOST_CALLS = 1_000;

  static final long MOST_BYTES = 16 << 20;

  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final int NONCE = 12;
  private static final int TAG_BITS = 128;

  private final KeptAnswerStore store;
  private final KeyedDigest digest;
  private final SecretKeySpec key;
  private final SecureRandom random;

  KeptAnswers(KeptAnswerStore store, KeyedDigest digest, SecureRandom random) {
    this.store = store;
    this.digest = digest;
    this.key = new SecretKeySpec(digest.of("kept answers"), "AES");
    this.random = random;
  }

  Future<? extends BusMessage> handle(Once<?> command) {
    return switch (command) {
      case BeginOnce begin -> begin(begin);
      case KeepAnswer(var call, var seed, var status, var content) ->
          store
              .keep(call, seed, status, seal(call, content), MOST_CALLS, MOST_BYTES)
              .map(Done.DONE);
      case LeaveUnanswered(var call, var seed, var nothingCame) ->
          (nothingCame ? store.forget(call, seed) : store.release(call, seed)).map(Done.DONE);
    };
  }

  private Future<Begun> begin(BeginOnce begin) {
    Buffer bodyHash = Buffer.buffer(digest.of("body of a call\n" + begin.bodyHash()));
    return store
        .begin(begin.key(), bodyHash, random.nextLong() >>> 1, begin.lease())
        .compose(
            fresh ->
                fresh
                    .<Future<Begun>>map(Future::succeededFuture)
                    .orElseGet(() -> again(begin.key(), bodyHash)));
  }

  private Future<Begun> again(CallKey call, Buffer bodyHash) {
    return store
        .find(call)
        .map(
            found -> {
              KeptAnswerStore.Known known = found.orElseThrow(KeptAnswers::underWay);
              if (!known.bodyHash().equals(bodyHash)) {
                throw new Refusal(
                    ErrorCode.IDEMPOTENCY_MISMATCH, "this key was used with another body");
              }
              if (known.status() == 0) {
                throw underWay();
              }
              return new Again(known.status(), open(call, known.answer()));
            });
  }

  private static Refusal underWay() {
    return Refusal.unavailable("the first call with this key is under way");
  }

  private Buffer seal(CallKey call, Secret content) {
    byte[] nonce = new byte[NONCE];
    random.nextBytes(nonce);
    byte[] text = content.value().getBytes(StandardCharsets.UTF_8);
    return Buffer.buffer(nonce).appendBytes(crypt(Cipher.ENCRYPT_MODE, call, nonce, text));
  }

  private Secret open(CallKey call, Buffer sealed) {
    byte[] bytes = sealed.getBytes();
    byte[] nonce = Arrays.copyOf(bytes, NONCE);
    byte[] rest = Arrays.copyOfRange(bytes, NONCE, bytes.length);
    return new Secret(
        new String(crypt(Cipher.DECRYPT_MODE, call, nonce, rest), StandardCharsets.UTF_8));
  }

  private byte[] crypt(int mode, CallKey call, byte[] nonce, byte[] text) {
    try {
      Cipher cipher = Cipher.getInstance(CIPHER);
      cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
      cipher.updateAAD((call.owner() + call.hash()).getBytes(StandardCharsets.UTF_8));
      return cipher.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
