/// A client that keeps outside of the store what was acknowledged, and the check of a store against it.
@NullMarked
package kvant.prove.journal;

import org.jspecify.annotations.NullMarked;
