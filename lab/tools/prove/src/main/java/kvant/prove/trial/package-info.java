/// Promises under faults, one class each.
@NullMarked
package kvant.prove.trial;

import org.jspecify.annotations.NullMarked;
