package io.confab.socket;

import java.util.AbstractSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A set in the order of insertion that takes no memory while it is empty, as most of what a
/// session keeps is.
final class LazySet<E> extends AbstractSet<E> {
  private @Nullable Set<E> elements;

  @Override
  public boolean add(E element) {
    Set<E> some = elements == null ? new LinkedHashSet<>(4) : elements;
    elements = some;
    return some.add(element);
  }

  @Override
  public boolean remove(@Nullable Object element) {
    Set<E> some = elements;
    if (some == null || !some.remove(element)) {
      return false;
    }
    if (some.isEmpty()) {
      elements = null;
    }
    return true;
  }

  @Override
  public boolean contains(@Nullable Object element) {
    return elements != null && elements.contains(element);
  }

  @Override
  public int size() {
    return elements == null ? 0 : elements.size();
  }

  @Override
  public void clear() {
    elements = null;
  }

  @Override
  public Iterator<E> iterator() {
    return elements == null ? Collections.emptyIterator() : elements.iterator();
  }
}
