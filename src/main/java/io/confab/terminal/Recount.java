package io.confab.terminal;

import io.confab.client.ChatRoom;
import io.confab.client.ConfabApi;
import io.vertx.core.AsyncResult;
import java.util.List;

/// Lists the rooms of the account when it may be in others, or what is unread was told to nobody:
/// one list after the other, however often it is asked for, and none before the first that it was
/// given. For the thread of a chat.
final class Recount {
  private final ConfabApi api;
  private final ChatQueue queue;
  private final News news;
  private final Around around;
  private boolean begun;
  private boolean asking;
  private boolean again;

  Recount(ConfabApi api, ChatQueue queue, News news, Around around) {
    this.api = api;
    this.queue = queue;
    this.news = news;
    this.around = around;
  }

  void listed(List<ChatRoom> rooms) {
    begun = true;
    news.listed(rooms);
    around.listed(rooms);
  }

  void ask() {
    if (asking) {
      again = true;
    } else if (begun) {
      asking = true;
      api.rooms().onComplete(rooms -> queue.add(() -> answered(rooms)));
    }
  }

  private void answered(AsyncResult<List<ChatRoom>> rooms) {
    asking = false;
    if (rooms.succeeded()) {
      listed(rooms.result());
    }
    if (again) {
      again = false;
      ask();
    }
  }
}
