/// The access matrix of src/test/resources/access-matrix.txt: whether it is complete, and whether a
/// running node answers every cell as the matrix says.
@NullMarked
package io.confab.access;

import org.jspecify.annotations.NullMarked;
