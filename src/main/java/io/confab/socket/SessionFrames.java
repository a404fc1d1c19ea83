package io.confab.socket;

import io.confab.limit.Limit;
import io.confab.protocol.ClientFrame.Bye;
import io.confab.protocol.ClientFrame.Hello;
import io.confab.protocol.ClientFrame.Ping;
import io.confab.protocol.ClientFrame.Resume;
import io.confab.protocol.ClientFrame.Token;
import io.confab.protocol.CloseCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.ServerFrame.Ok;
import io.confab.protocol.ServerFrame.Pong;
import io.vertx.core.Future;
import java.time.InstantSource;

/// The frames about a session itself.
///
/// @param roomsPerResume how many rooms a `resume` may name
/// @param clock for what clients are told
record SessionFrames(int roomsPerResume, InstantSource clock) {
  void mount(Frames frames) {
    frames.mount("hello", Limit.FRAMES, Hello::read, this::helloAgain);
    frames.mount("resume", Limit.RESUMES, f -> Resume.read(f, roomsPerResume), this::resume);
    frames.mount("token", Limit.FRAMES, Token::read, this::renew);
    frames.mount("ping", Limit.FRAMES, _ -> new Ping(), this::pong);
    frames.mount("bye", Limit.FRAMES, _ -> new Bye(), this::bye);
  }

  /// The first one is answered by the [Greeting].
  private Future<?> helloAgain(FrameCall call, Hello hello) {
    return Future.failedFuture(Refusal.invalidField("type", "hello comes once"));
  }

  private Future<?> resume(FrameCall call, Resume resume) {
    return call.session().resume(call.id(), resume);
  }

  private Future<?> renew(FrameCall call, Token token) {
    return call.session()
        .renew(token.token())
        .onSuccess(left -> call.answer(Ok.renewed(call.id(), left.toSeconds())));
  }

  private Future<?> pong(FrameCall call, Ping ping) {
    call.answer(new Pong(call.id(), clock.millis()));
    return Future.succeededFuture();
  }

  private Future<?> bye(FrameCall call, Bye bye) {
    call.close(CloseCode.NORMAL, "bye");
    return Future.succeededFuture();
  }
}
