package kvant.lsm.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Write;
import kvant.engine.kit.ExpiryClock;
import kvant.lsm.bytes.Keys;
import kvant.lsm.read.SuperVersions;
import kvant.lsm.wal.GroupDescriptor;
import kvant.lsm.wal.Payload;

/// Evaluates each write of a group at its place in the order of all writes, and encodes the accepted ones for the
/// log. Its results are valid until the next group. Belongs to the commit thread.
final class GroupJudge {

    // Constant.
    private final SuperVersions readers;
    private final ExpiryClock clock;

    // Commit thread.
    private final Payload payload = new Payload();
    private final List<Write> accepted = new ArrayList<>();
    private final List<Write> refused = new ArrayList<>();
    private long lastSequence;

    GroupJudge(SuperVersions readers, ExpiryClock clock) {
        this.readers = readers;
        this.clock = clock;
    }

    /// The accepted writes, as the log takes them.
    Payload payload() {
        return payload;
    }

    List<Write> accepted() {
        return accepted;
    }

    /// Writes whose condition does not hold. They wait for the commit, because the answer may rest on a write of the
    /// same group, which has to succeed first.
    List<Write> refused() {
        return refused;
    }

    /// Of the accepted writes.
    long lastSequence() {
        return lastSequence;
    }

    /// @param firstSequence that the first mutation gets
    void judge(List<Write> group, long firstSequence) {
        payload.clear();
        accepted.clear();
        refused.clear();
        lastSequence = firstSequence - 1;
        boolean conditional = isConditional(group);
        Map<byte[], Lookup> overlay = conditional ? new TreeMap<>(Keys::compare) : Map.of();
        for (int i = 0; i < group.size(); i++) {
            Write write = group.get(i);
            if (!holds(write, overlay)) {
                continue;
            }
            List<Mutation> mutations = write.batch().mutations();
            for (int j = 0; j < mutations.size(); j++) {
                Mutation mutation = mutations.get(j);
                GroupDescriptor.encode(mutation, payload);
                lastSequence++;
                if (mutation instanceof Mutation.Put put && put.expiresAtMillis() != Mutation.Put.NEVER) {
                    clock.written(put.expiresAtMillis(), lastSequence);
                }
                if (conditional) {
                    overlay.put(mutation.key(), stateAfter(mutation, lastSequence));
                }
            }
            accepted.add(write);
        }
    }

    /// Refuses a write whose condition does not hold, and fails one whose condition cannot be evaluated.
    private boolean holds(Write write, Map<byte[], Lookup> overlay) {
        if (!write.batch().isConditional()) {
            return true;
        }
        try {
            boolean holds = write.batch().holds(key -> {
                Lookup written = overlay.get(key);
                return written == null ? readers.find(key, Lookup.Filter.NONE, true) : written;
            });
            if (!holds) {
                refused.add(write);
            }
            return holds;
        } catch (EngineException e) {
            write.failed(e);
            return false;
        }
    }

    private Lookup stateAfter(Mutation mutation, long sequence) {
        return switch (mutation) {
            case Mutation.Delete _ -> Lookup.Miss.ABSENT;
            case Mutation.Put put ->
                put.expiresAtMillis() != Mutation.Put.NEVER && clock.isExpired(put.expiresAtMillis(), sequence)
                        ? Lookup.Miss.ABSENT
                        : new Lookup.Described(sequence, put.value().length);
        };
    }

    private static boolean isConditional(List<Write> group) {
        for (int i = 0; i < group.size(); i++) {
            if (group.get(i).batch().isConditional()) {
                return true;
            }
        }
        return false;
    }
}
