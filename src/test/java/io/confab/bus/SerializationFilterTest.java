package io.confab.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.internal.serialization.SerializationClassNameFilter;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.exception.TargetDisconnectedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Which Java objects Hazelcast makes of what another process sends.
class SerializationFilterTest {
  private static final SerializationClassNameFilter FILTER =
      new SerializationClassNameFilter(Clustering.expectedObjects());

  static Stream<Exception> failures() {
    Exception nested = new RetryableHazelcastException("a", new IllegalStateException("b"));
    nested.addSuppressed(new IOException("c"));
    return Stream.of(
        nested,
        new TargetDisconnectedException("left"),
        new HazelcastInstanceNotActiveException(),
        new OperationTimeoutException("late"),
        new NullPointerException(),
        new TimeoutException(),
        new CancellationException());
  }

  static Stream<Object> others() {
    return Stream.of(
        new HashSet<>(List.of(1)),
        new TreeSet<>(List.of(1)),
        new HashMap<>(),
        new PriorityQueue<>(List.of(1)),
        new javax.management.Attribute("a", 1));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void theFailureOfAnOperationIsRead(Exception failure) throws Exception {
    assertThat(read(failure)).hasSameClassAs(failure).hasToString(failure.toString());
  }

  @ParameterizedTest
  @MethodSource("others")
  void otherObjectsAreRefused(Object object) {
    assertThatThrownBy(() -> read(object)).isInstanceOf(SecurityException.class);
  }

  /// Reads as Hazelcast does: each class is looked up through the filter.
  private static Object read(Object object) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())) {
          @Override
          protected Class<?> resolveClass(ObjectStreamClass type)
              throws IOException, ClassNotFoundException {
            FILTER.filter(type.getName());
            return super.resolveClass(type);
          }
        }) {
      return in.readObject();
    }
  }
}
