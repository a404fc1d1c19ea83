package io.confab.terminal;

import io.confab.client.Account;
import io.confab.client.Additions;
import io.confab.client.ConfabApi;
import io.confab.client.Fault;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.screen.Plain;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Makes people members of a room, all in one call. Blocks while it asks.
public final class Adding {
  private final ConfabApi api;

  public Adding(ConfabApi api) {
    this.api = api;
  }

  /// @param told takes a line for each who is a member then, or is asked
  /// @throws IOException where a handle is nobody's: then none is added; or naming who was not
  public void add(RoomId room, List<String> handles, Consumer<String> told) throws IOException {
    Map<AccountId, Account> people = new LinkedHashMap<>();
    for (String handle : handles) {
      Account who = new RoomFinder(api).account(handle);
      people.put(who.accountId(), who);
    }
    Additions made = api.add(room, people.keySet()).await();
    List<String> refused = new ArrayList<>();
    for (Account who : people.values()) {
      Optional<Fault> fault = fault(made, who.accountId());
      if (fault.isPresent()) {
        refused.add(who.handle() + ": " + fault.get().code() + ": " + fault.get().message());
      } else {
        boolean asked = made.invited().contains(who.accountId());
        told.accept(
            Plain.line(who.handle() + (asked ? " is asked whether to join." : " is a member.")));
      }
    }
    if (!refused.isEmpty()) {
      throw new IOException(String.join("; ", refused));
    }
  }

  private static Optional<Fault> fault(Additions made, AccountId account) {
    return made.members().stream()
        .filter(added -> added.accountId().equals(account))
        .flatMap(added -> Stream.ofNullable(added.error()))
        .findFirst();
  }
}
