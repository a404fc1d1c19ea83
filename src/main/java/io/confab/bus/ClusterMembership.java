package io.confab.bus;

import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import io.vertx.core.Completable;
import io.vertx.core.spi.cluster.RegistrationInfo;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A node's place in its cluster, which it leaves within a bound, whatever the other members do
/// (but for a merge with other members that is under way). Vert.x' own manager asks them for this
/// and that before it leaves, and holds a lock meanwhile that Hazelcast needs to end: a member that
/// stood still or left at the same time kept both for more than a minute, and with them the stop of
/// the node. Here the member leaves first. Nothing that correctness needs is lost by that: the
/// others forget the registrations of whoever is gone.
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // the lock is what leaving must not need
final class ClusterMembership extends HazelcastClusterManager {
  /// For how long a member hands over what it holds for all.
  static final Duration LIMIT = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(ClusterMembership.class);

  private final HazelcastInstance member;
  private volatile boolean leaving;

  ClusterMembership(HazelcastInstance member) {
    super(member);
    this.member = member;
  }

  /// Ends the member as well, which Vert.x does only with those that it has made.
  @Override
  public void leave(Completable<Void> left) {
    leaving = true;
    Thread.ofPlatform()
        .name("confab-leave")
        .start(
            () -> {
              try {
                member.shutdown();
              } catch (RuntimeException failure) {
                LOG.warn("The cluster was not left well", failure);
              } finally {
                // what it would ask of the cluster fails at once now
                super.leave((_, _) -> left.succeed());
              }
            });
  }

  /// Whoever stops listening does not wait until the others know: what they still send is for
  /// nobody, as after a node died, and `unavailable` in the end.
  @Override
  public void removeRegistration(
      String address, RegistrationInfo registration, Completable<Void> removed) {
    super.removeRegistration(address, registration, (_, _) -> {});
    removed.succeed();
  }

  @Override
  public void memberAdded(MembershipEvent event) {
    if (!leaving) {
      super.memberAdded(event);
    }
  }

  @Override
  public void memberRemoved(MembershipEvent event) {
    if (!leaving) {
      super.memberRemoved(event);
    }
  }

  /// Hazelcast tells of its end under a lock of its own: that must not wait for the one of Vert.x,
  /// to which nothing but a merge matters.
  @Override
  public void stateChanged(LifecycleEvent event) {
    if (!leaving && event.getState() == LifecycleState.MERGED) {
      super.stateChanged(event);
    }
  }
}
