package io.confab.bus;

import io.confab.config.NodeRole;

/// What the tests ask over the bus.
record Question(int number) implements Command<Question.Reply> {
  static final Address<Question> ADDRESS = new Address<>("questions", NodeRole.ROUTING);

  record Reply(String text) implements BusMessage {}
}
