package kvant.cassandra;

import java.util.zip.CRC32C;

/// The layout of a store in its keyspace: the partition of each key.
///
/// A record is a row of the table `records`: partition `bucket`, sorted within it by `key`. So a point read asks one
/// partition, and a range merges all of them.
///
/// @param buckets number of partitions, fixed when the store is made
/// @param replicas copies of each key that a request may ask for
record Layout(int buckets, int replicas) {

    /// The format version that this code writes and reads; a store of another version is refused.
    static final int VERSION = 1;

    /// The name of [#bucketOf], recorded together with the version.
    static final String HASH = "crc32c-fmix32";

    private static final int FIRST_MIX = 0x85ebca6b;
    private static final int SECOND_MIX = 0xc2b2ae35;

    /// A CRC spreads its input well; the finalizer of MurmurHash3 spreads it over all bits, so that any number of
    /// buckets is filled evenly.
    int bucketOf(byte[] key) {
        return Integer.remainderUnsigned(hash(key), buckets);
    }

    static int hash(byte[] key) {
        CRC32C crc = new CRC32C();
        crc.update(key, 0, key.length);
        int mixed = (int) crc.getValue();
        mixed = (mixed ^ mixed >>> 16) * FIRST_MIX;
        mixed = (mixed ^ mixed >>> 13) * SECOND_MIX;
        return mixed ^ mixed >>> 16;
    }
}
