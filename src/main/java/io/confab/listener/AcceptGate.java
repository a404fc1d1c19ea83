package io.confab.listener;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetSocketAddress;
import java.util.Optional;

/// Stands where a listener accepts connections: one that is not admitted is closed before any
/// other part hears of it.
@Sharable
final class AcceptGate extends ChannelInboundHandlerAdapter {
  private final Admission admission;
  private final Optional<SharedBound> unfinished;

  /// @param unfinished of TLS, where these connections speak it
  AcceptGate(Admission admission, Optional<SharedBound> unfinished) {
    this.admission = admission;
    this.unfinished = unfinished;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object accepted) {
    Channel connection = (Channel) accepted;
    if (connection.remoteAddress() instanceof InetSocketAddress remote) {
      ClientAddress peer = ClientAddress.of(remote.getAddress());
      if (admission.admit(peer)) {
        connection.closeFuture().addListener(_ -> admission.left(peer));
        unfinished.ifPresent(bound -> connection.pipeline().addFirst(new TlsRecords(bound)));
        ctx.fireChannelRead(connection);
        return;
      }
    }
    connection.unsafe().closeForcibly(); // it belongs to no event loop yet
  }
}
