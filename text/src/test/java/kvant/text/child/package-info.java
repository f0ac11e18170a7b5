/// JVMs that tests start.
@NullMarked
package kvant.text.child;

import org.jspecify.annotations.NullMarked;
