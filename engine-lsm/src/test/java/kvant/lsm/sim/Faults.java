package kvant.lsm.sim;

import java.util.function.Predicate;

/// Which calls fail, and how.
public final class Faults {

    /// How a call fails.
    public enum Kind {
        /// An input/output error; of a write, after any part of it.
        EIO,
        /// No room: creations and writes fail before anything is written, syncs as they do on a file system
        /// that finds its room late.
        ENOSPC,
        /// As ENOSPC, after half of a write.
        SHORT_ENOSPC,
        /// No file descriptor: what opens a file fails.
        EMFILE,
        /// An exception that nobody expects, after half of a write.
        BUG
    }

    public static final Faults NONE = new Faults(Kind.EIO, _ -> false);

    private final Kind kind;
    private final Predicate<Call> calls;

    /// @param calls those that fail
    public Faults(Kind kind, Predicate<Call> calls) {
        this.kind = kind;
        this.calls = calls;
    }

    public Kind kind() {
        return kind;
    }

    boolean hit(Call call) {
        return isPossible(call.operation()) && calls.test(call);
    }

    /// A full disk does not keep anyone from reading, deleting or shortening.
    private boolean isPossible(Call.Operation operation) {
        return switch (operation) {
            case WRITE, PREALLOCATE -> kind != Kind.EMFILE;
            case CREATE -> kind != Kind.BUG;
            case SYNC -> kind != Kind.BUG && kind != Kind.EMFILE;
            case MAP, SYNC_DIRECTORY -> kind == Kind.EIO || kind == Kind.EMFILE;
            case LIST, TRUNCATE, RENAME, DELETE, USABLE_BYTES -> kind == Kind.EIO;
        };
    }
}
