package kvant.rocksdb;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.kit.ExpiryClock;
import org.jspecify.annotations.Nullable;

/// What the writes of a group that is being put together will have done: conditions later in the same group
/// must see it, and RocksDB does not show it yet. Belongs to the commit thread.
///
/// A map rather than RocksDB's own `WriteBatchWithIndex`: that one would index the mutations of every group,
/// while this one is filled only for groups that hold a condition.
final class PendingState {

    /// A mutation and the version it will have.
    private record Pending(Mutation mutation, long version) {}

    private final Map<ByteBuffer, Pending> byKey = new HashMap<>();

    void applied(Mutation mutation, long version) {
        byKey.put(ByteBuffer.wrap(mutation.key()), new Pending(mutation, version));
    }

    /// @return null when no write of the group has touched the key
    @Nullable
    Lookup lookup(byte[] key, ExpiryClock clock) {
        Pending pending = byKey.get(ByteBuffer.wrap(key));
        if (pending == null) {
            return null;
        }
        return switch (pending.mutation()) {
            case Mutation.Put put
            when !StoredValue.expired(put.expiresAtMillis(), pending.version(), clock) ->
                new Lookup.Found(put.value(), pending.version());
            case Mutation.Put _, Mutation.Delete _ -> Lookup.Miss.ABSENT;
        };
    }

    void clear() {
        byKey.clear();
    }
}
