package kvant.engine;

/// A precondition of a batch. It is evaluated on the key of the batch's first mutation, and on the keys that its
/// guards name ([WriteBatch.Guard]), at the batch's place in the order of all writes: no other write comes between
/// the evaluation and the batch.
public sealed interface Condition {

    /// Evaluates the condition for a key in this state. No condition looks at the value itself.
    boolean holds(Lookup current);

    /// Whether evaluating it needs the current state of the key at all.
    default boolean needsRead() {
        return true;
    }

    /// Always holds.
    record None() implements Condition {
        @Override
        public boolean holds(Lookup current) {
            return true;
        }

        @Override
        public boolean needsRead() {
            return false;
        }
    }

    /// Holds while the key has no value (`If-None-Match: *`).
    record Absent() implements Condition {
        @Override
        public boolean holds(Lookup current) {
            return current == Lookup.Miss.ABSENT;
        }
    }

    /// Holds while the key has some value (`If-Match: *`).
    record Present() implements Condition {
        @Override
        public boolean holds(Lookup current) {
            return current instanceof Lookup.Found || current instanceof Lookup.Described;
        }
    }

    /// Holds while the key has the value of exactly this version (`If-Match: "version"`).
    record VersionIs(long version) implements Condition {
        @Override
        public boolean holds(Lookup current) {
            return switch (current) {
                case Lookup.Found found -> found.version() == version;
                case Lookup.Described described -> described.version() == version;
                case Lookup.Miss _ -> false;
            };
        }
    }

    /// The condition of an ordinary write.
    Condition NONE = new None();
}
