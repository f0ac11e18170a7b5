package kvant.rocksdb;

import java.util.Arrays;
import java.util.List;
import kvant.engine.Lookup;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;

/// Looks several keys up in one snapshot; see [kvant.engine.Engine#getAll]. Called inside [InUse].
///
/// RocksDB's Java binding answers null both for a key that is absent and for one that could not be read. So
/// that a failure never passes for an absent key, each null is asked again of a `get` of the same snapshot,
/// which tells them apart; a filter makes that cheap where the key is absent.
final class MultiGet {

    private MultiGet() {}

    static Lookup[] find(Database database, byte[][] keys) throws RocksDBException {
        Lookup[] answers = new Lookup[keys.length];
        if (keys.length == 0) {
            return answers;
        }
        long nowMillis = System.currentTimeMillis();
        Snapshot snapshot = database.rocks.getSnapshot();
        try (ReadOptions options = new ReadOptions().setSnapshot(snapshot)) {
            List<byte @Nullable []> stored = database.rocks.multiGetAsList(options, Arrays.asList(keys));
            for (int i = 0; i < keys.length; i++) {
                byte[] bytes = stored.get(i);
                if (bytes == null) {
                    bytes = database.rocks.get(options, keys[i]);
                }
                answers[i] = bytes == null ? Lookup.Miss.ABSENT : StoredValue.decode(bytes, nowMillis);
            }
            return answers;
        } finally {
            database.rocks.releaseSnapshot(snapshot);
            snapshot.close();
        }
    }
}
