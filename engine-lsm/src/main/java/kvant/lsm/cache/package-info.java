/// The cache of tables: partitions of their indexes and filters, and decompressed blocks, with one bound.
@NullMarked
package kvant.lsm.cache;

import org.jspecify.annotations.NullMarked;
