/// A client with a journal of its acknowledged writes outside of the store, and the check of a store against it.
@NullMarked
package kvant.prove.journal;

import org.jspecify.annotations.NullMarked;
