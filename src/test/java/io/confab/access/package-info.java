/// Who may do what: the access matrix of src/test/resources/access-matrix.txt, whether it is whole
/// and whether a running node answers every cell as it says.
@NullMarked
package io.confab.access;

import org.jspecify.annotations.NullMarked;
