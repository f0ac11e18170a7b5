/// What is kept in memory of the tables: pieces of their indexes and filters, and decompressed blocks, under
/// one bound.
@NullMarked
package kvant.lsm.cache;

import org.jspecify.annotations.NullMarked;
