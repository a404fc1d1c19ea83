package io.confab.bus;

import io.confab.config.NodeRole;

/// What the tests ask over the bus.
///
/// @param key chooses the lane
record Question(int number, long key) implements Command<Question.Reply> {
  static final Address<Question> ADDRESS = new Address<>("questions", NodeRole.ROUTING);

  record Reply(String text) implements BusMessage {}

  Question(int number) {
    this(number, 1);
  }

  @Override
  public Address<Question> address() {
    return ADDRESS;
  }

  @Override
  public Lane lane() {
    return Lane.of(key);
  }
}
