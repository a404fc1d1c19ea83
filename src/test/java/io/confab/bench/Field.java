package io.confab.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The contestants of one part, all of which run until it ends. One that cannot be had is left out
/// with a word.
final class Field implements AutoCloseable {
  private final Options options;
  private final Map<String, Contestant> all = new LinkedHashMap<>();

  Field(Options options) {
    this.options = options;
  }

  /// The chat servers.
  ///
  /// @param stores whether those store messages that need not
  static Map<String, Supplier<Contestant>> chat(Options options, boolean stores) {
    Map<String, Supplier<Contestant>> servers = new LinkedHashMap<>();
    servers.put(ConfabNode.NAME, ConfabNode::new);
    servers.put(ConfabNode.CONFIRMED, ConfabNode::confirmed);
    servers.put(ConfabNode.BEFORE, () -> ConfabNode.before(options.before()));
    servers.put(SocketIo.NAME, () -> new SocketIo(stores));
    servers.put(Ejabberd.NAME, Ejabberd::new);
    return servers;
  }

  static Field ofChat(Options options, boolean stores) {
    Field field = new Field(options);
    chat(options, stores).forEach(field::with);
    return field;
  }

  /// Starts it when it is to take part.
  @SuppressWarnings("SystemOut")
  Field with(String name, Supplier<Contestant> contestant) {
    if (options.contestants().contains(name)) {
      try {
        all.put(name, contestant.get());
      } catch (IllegalStateException missing) {
        System.out.println(name + " is left out: " + missing.getMessage());
      }
    }
    return this;
  }

  List<Contestant> contestants() {
    return List.copyOf(all.values());
  }

  @Override
  public void close() {
    new ArrayList<>(all.values()).reversed().forEach(Contestant::close);
  }
}
