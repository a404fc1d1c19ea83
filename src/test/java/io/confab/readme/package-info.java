/// The README, followed as it stands: its blocks are pasted into terminals, and what they print is
/// compared with what it shows. CONTRIBUTING.md says how blocks are marked.
@NullMarked
package io.confab.readme;

import org.jspecify.annotations.NullMarked;
