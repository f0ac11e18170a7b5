/// Source trees of commits: checked out next to a working tree, and built by their own launcher.
@NullMarked
package kvant.lab.commit;

import org.jspecify.annotations.NullMarked;
