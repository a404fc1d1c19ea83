package io.confab.contract;

import io.confab.contract.HttpContract.Exchange;
import java.util.List;

/// The contract as test clients use it: each reports what it saw. Nothing is thrown, because some
/// clients call from an event loop or go on after an error; [Violations] fails the test.
public final class Contract {
  private static final Documents DOCUMENTS = new Documents();

  public static final HttpContract HTTP = new HttpContract(DOCUMENTS);
  public static final FrameContract FRAMES = new FrameContract(DOCUMENTS);

  private Contract() {}

  /// A call was answered.
  public static void saw(Exchange exchange) {
    if (Violations.isWatching()) {
      tell(HTTP.faults(exchange), exchange.toString());
    }
  }

  /// A frame of a server came.
  public static void sawFrame(String text) {
    if (Violations.isWatching()) {
      tell(FRAMES.serverFaults(text), text);
    }
  }

  /// A request of a client was answered.
  public static void sawAnswer(String request, String answer) {
    if (Violations.isWatching()) {
      tell(FRAMES.exchangeFaults(request, answer), request + " -> " + answer);
    }
  }

  private static void tell(List<String> faults, String seen) {
    if (!faults.isEmpty()) {
      Violations.add(faults + " in " + seen);
    }
  }
}
