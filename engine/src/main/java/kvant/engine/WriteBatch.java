package kvant.engine;

import java.util.ArrayList;
import java.util.List;

/// Mutations that are applied together or not at all, in one durable commit.
///
/// When two mutations name one key, the later wins.
public final class WriteBatch {

    /// Bytes charged for the bookkeeping of one mutation, beyond its key and value.
    private static final int MUTATION_OVERHEAD_BYTES = 16;

    private final List<Mutation> mutations;
    private final Condition condition;
    private final List<Guard> guards;
    private final long bytes;

    /// A precondition on a key other than that of the first mutation. The guard itself changes nothing.
    public record Guard(byte[] key, Condition condition) {}

    /// A reader of the current state of a key.
    ///
    /// @param <E> exception of a failed read
    @FunctionalInterface
    public interface States<E extends Exception> {
        Lookup of(byte[] key) throws E;
    }

    private WriteBatch(List<Mutation> mutations, Condition condition, List<Guard> guards) {
        if (mutations.isEmpty()) {
            throw new IllegalArgumentException("a batch holds at least one mutation");
        }
        this.mutations = mutations;
        this.condition = condition;
        this.guards = guards;
        this.bytes = sizeOf(mutations, guards);
    }

    public static WriteBatch of(Mutation mutation) {
        return new WriteBatch(List.of(mutation), Condition.NONE, List.of());
    }

    public static WriteBatch of(List<Mutation> mutations) {
        return new WriteBatch(List.copyOf(mutations), Condition.NONE, List.of());
    }

    /// Stores one value.
    public static WriteBatch put(byte[] key, byte[] value) {
        return of(new Mutation.Put(key, value));
    }

    /// Removes one value.
    public static WriteBatch delete(byte[] key) {
        return of(new Mutation.Delete(key));
    }

    /// This batch and one mutation more. Copies the list: a batch of hundreds is made of a list at once.
    public WriteBatch and(Mutation mutation) {
        List<Mutation> more = new ArrayList<>(mutations);
        more.add(mutation);
        return new WriteBatch(List.copyOf(more), condition, guards);
    }

    /// This batch and another put.
    public WriteBatch andPut(byte[] key, byte[] value) {
        return and(new Mutation.Put(key, value));
    }

    /// This batch and another delete.
    public WriteBatch andDelete(byte[] key) {
        return and(new Mutation.Delete(key));
    }

    /// This batch, to be applied only where the condition holds for the key of its first mutation.
    public WriteBatch when(Condition newCondition) {
        return new WriteBatch(mutations, newCondition, guards);
    }

    /// This batch, to be applied only where each of these holds as well.
    public WriteBatch guardedBy(List<Guard> newGuards) {
        return new WriteBatch(mutations, condition, List.copyOf(newGuards));
    }

    public List<Mutation> mutations() {
        return mutations;
    }

    public Condition condition() {
        return condition;
    }

    public List<Guard> guards() {
        return guards;
    }

    /// Whether it has conditions that need evaluation.
    public boolean isConditional() {
        return condition.needsRead() || !guards.isEmpty();
    }

    /// Whether all conditions hold.
    public <E extends Exception> boolean holds(States<E> states) throws E {
        if (condition.needsRead()
                && !condition.holds(states.of(mutations.getFirst().key()))) {
            return false;
        }
        for (int i = 0; i < guards.size(); i++) {
            if (!guards.get(i).condition().holds(states.of(guards.get(i).key()))) {
                return false;
            }
        }
        return true;
    }

    /// Bytes of keys and values and a small charge per mutation and guard: what limits are counted in.
    public long bytes() {
        return bytes;
    }

    private static long sizeOf(List<Mutation> mutations, List<Guard> guards) {
        long total = 0;
        for (int i = 0; i < guards.size(); i++) {
            total += MUTATION_OVERHEAD_BYTES + guards.get(i).key().length;
        }
        for (int i = 0; i < mutations.size(); i++) {
            Mutation mutation = mutations.get(i);
            total += MUTATION_OVERHEAD_BYTES + mutation.key().length;
            if (mutation instanceof Mutation.Put put) {
                total += put.value().length;
            }
        }
        return total;
    }
}
