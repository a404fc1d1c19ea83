package io.confab.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.internal.serialization.SerializationClassNameFilter;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.spi.exception.CallerNotMemberException;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.exception.TargetDisconnectedException;
import com.hazelcast.spi.exception.TargetNotMemberException;
import com.hazelcast.spi.exception.WrongTargetException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.BadAttributeValueExpException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Which Java objects Hazelcast makes of what another process sends.
class SerializationFilterTest {
  private static final SerializationClassNameFilter FILTER =
      new SerializationClassNameFilter(Clustering.expectedObjects());

  /// Stands for the classes of Confab.
  private static final class Own implements Serializable {
    private static final long serialVersionUID = 1;
  }

  static Stream<Exception> failures() {
    Exception nested = new RetryableHazelcastException("a", new IllegalStateException("b"));
    nested.addSuppressed(new IOException("c"));
    return Stream.of(
        nested,
        new TargetDisconnectedException("left"),
        new TargetNotMemberException("gone"),
        new WrongTargetException("moved"),
        new CallerNotMemberException("who"),
        new HazelcastInstanceNotActiveException(),
        new HazelcastSerializationException("unread", new ClassNotFoundException("x")),
        new OperationTimeoutException("late"),
        new NullPointerException(),
        new IndexOutOfBoundsException(1),
        new ExecutionException(new EOFException()),
        new RejectedExecutionException("full"),
        new TimeoutException(),
        new CancellationException());
  }

  /// What chains of deserialisation begin with or pass, what takes long to read, and what holds
  /// any of it: also where it is the cause, or stands beside one, of a failure that is expected.
  static Stream<Object> others() throws Exception {
    Object link = new URI("http://127.0.0.1:1").toURL();
    return Stream.of(
        new HashSet<>(List.of(1)),
        new TreeSet<>(List.of(1)),
        new HashMap<>(),
        new LinkedHashMap<>(Map.of(1, link)),
        new PriorityQueue<>(List.of(1)),
        new ConcurrentHashMap<>(Map.of(1, 1)),
        new ConcurrentSkipListMap<>(Map.of(1, 1)),
        new CopyOnWriteArrayList<>(List.of(1)),
        new ArrayList<>(List.of(link)),
        new ArrayList<>(List.of(new HashSet<>())),
        List.of(1),
        Map.of(1, 1),
        Collections.unmodifiableList(new ArrayList<>()),
        link,
        1,
        new BigInteger("7"),
        new File("x"),
        Thread.State.NEW,
        Arguments.of((Object) new Object[] {1}),
        Arguments.of((Object) new Throwable[] {new Exception("x")}),
        new int[] {1},
        Arguments.of((Object) new HashMap<?, ?>[0]),
        new Attribute("a", 1),
        new BadAttributeValueExpException("x"),
        new UncheckedIOException(new IOException("x")),
        new Own(),
        new IllegalStateException(new BadAttributeValueExpException("x")));
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
