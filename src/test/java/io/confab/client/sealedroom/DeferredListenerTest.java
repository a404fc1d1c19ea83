package io.confab.client.sealedroom;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DeferredListenerTest {
  static List<Method> calls() {
    return List.of(SealedListener.class.getMethods());
  }

  @ParameterizedTest
  @MethodSource("calls")
  void passesOnEachCallLater(Method call) throws ReflectiveOperationException {
    List<String> told = new ArrayList<>();
    List<Runnable> later = new ArrayList<>();
    SealedListener program =
        (SealedListener)
            Proxy.newProxyInstance(
                SealedListener.class.getClassLoader(),
                new Class<?>[] {SealedListener.class},
                (_, method, _) -> {
                  told.add(method.getName());
                  return null;
                });
    call.invoke(new DeferredListener(program, later::add), new Object[call.getParameterCount()]);
    assertThat(told).isEmpty();
    later.forEach(Runnable::run);
    assertThat(told).containsExactly(call.getName());
  }
}
