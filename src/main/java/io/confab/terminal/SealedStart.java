package io.confab.terminal;

import io.confab.client.ConfabApi;
import io.confab.client.ConfabClient;
import io.confab.client.Credentials;
import io.confab.client.sealed.DamagedStoreException;
import io.confab.client.sealed.ForeignStoreException;
import io.confab.client.sealed.SealedDevice;
import io.confab.client.sealed.SealedStore;
import io.confab.client.sealedroom.SealedListener;
import io.confab.client.sealedroom.SealedRooms;
import io.confab.config.FileFault;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/// How a window begins to take part in sealed rooms, or why it does not.
public sealed interface SealedStart {
  /// Opens what a sign-in keeps, or makes it. The window that begins closes it.
  static SealedStart open(Vertx vertx, SealedFolder folder, Credentials own) {
    try {
      SealedStore store = SealedStore.open(folder.of(own));
      try {
        return new Ready(vertx, own, SealedDevice.open(store, own.accountId(), own.deviceId()));
      } catch (RuntimeException | LinkageError failure) {
        store.close();
        throw failure;
      }
    } catch (UncheckedIOException failure) {
      IOException cause = Objects.requireNonNull(failure.getCause());
      return new Refused(
          cause instanceof DamagedStoreException
              ? "%s: %s Moved away, this window begins anew there, as another device."
                  .formatted(folder.of(own), cause.getMessage())
              : FileFault.text(cause));
    } catch (ForeignStoreException foreign) {
      return new Refused(String.valueOf(foreign.getMessage()));
    } catch (LinkageError _) {
      return new Refused("there is no code for this processor or system");
    }
  }

  /// The window takes no part.
  static SealedStart none() {
    return new Refused("this window keeps no keys");
  }

  SealedAccess begin(ConfabApi api, ConfabClient client, SealedListener listener);

  /// Why it takes no part; empty: it does.
  String refusal();

  /// @param refusal for a person
  record Refused(String refusal) implements SealedStart {
    @Override
    public SealedAccess begin(ConfabApi api, ConfabClient client, SealedListener listener) {
      return new SealedAccess.Absent();
    }
  }

  /// With what it keeps.
  record Ready(Vertx vertx, Credentials own, SealedDevice device) implements SealedStart {
    @Override
    public SealedAccess begin(ConfabApi api, ConfabClient client, SealedListener listener) {
      return new SealedAccess.Present(
          new SealedRooms(vertx, api, client, own, device, listener), own.accountId());
    }

    @Override
    public String refusal() {
      return "";
    }
  }
}
