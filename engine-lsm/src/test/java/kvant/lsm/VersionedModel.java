package kvant.lsm;

import static kvant.engine.Samples.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.engine.WriteBatch;
import org.jspecify.annotations.Nullable;

/// The expected content of a store at any moment of its history: every version of every key in sorted maps. Belongs to
/// one thread.
///
/// A moment is the sequence number of the last mutation that belongs to it. Each mutation that is applied takes the
/// next number, so the model knows the versions too.
final class VersionedModel {

    private final NavigableMap<byte[], NavigableMap<Long, Mutation>> keys = new TreeMap<>(Arrays::compareUnsigned);
    private final TreeSet<Long> batchEnds = new TreeSet<>(List.of(0L));

    /// The newest moment.
    long now() {
        return batchEnds.getLast();
    }

    /// Applies a batch, if its condition holds.
    ///
    /// @return whether it did
    boolean apply(WriteBatch batch, long clockMillis) {
        byte[] judged = batch.mutations().getFirst().key();
        if (!batch.condition().holds(find(judged, now(), clockMillis))) {
            return false;
        }
        long sequence = now();
        for (Mutation mutation : batch.mutations()) {
            keys.computeIfAbsent(mutation.key(), _ -> new TreeMap<>()).put(++sequence, mutation);
        }
        batchEnds.add(sequence);
        return true;
    }

    /// All that were ever written.
    byte[][] keys() {
        return keys.keySet().toArray(byte[][]::new);
    }

    Lookup find(byte[] key, long moment, long clockMillis) {
        NavigableMap<Long, Mutation> versions = keys.get(key);
        Map.Entry<Long, Mutation> newest = versions == null ? null : versions.floorEntry(moment);
        if (newest == null || !(newest.getValue() instanceof Mutation.Put put)) {
            return Lookup.Miss.ABSENT;
        }
        boolean expired = put.expiresAtMillis() != Mutation.Put.NEVER && put.expiresAtMillis() <= clockMillis;
        return expired ? Lookup.Miss.ABSENT : new Lookup.Found(put.value(), newest.getKey());
    }

    /// The records from one key on, before another one.
    List<Samples.Entry> range(byte[] from, byte @Nullable [] to, long moment, long clockMillis) {
        List<Samples.Entry> entries = new ArrayList<>();
        for (byte[] key : keys.tailMap(from, true).keySet()) {
            if (to != null && Arrays.compareUnsigned(key, to) >= 0) {
                break;
            }
            if (find(key, moment, clockMillis) instanceof Lookup.Found found) {
                entries.add(new Samples.Entry(text(key), text(found.value()), found.version()));
            }
        }
        return entries;
    }

    /// The moments from one to another at which no batch is seen in part.
    List<Long> moments(long first, long last) {
        return List.copyOf(batchEnds.subSet(first, true, last, true));
    }

    /// A crash took back what came after a moment.
    void forgetAfter(long moment) {
        batchEnds.tailSet(moment, false).clear();
        keys.values().forEach(versions -> versions.tailMap(moment, false).clear());
    }
}
