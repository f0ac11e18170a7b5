package kvant.lsm.sim;

import java.io.IOException;
import java.util.function.Predicate;
import kvant.lsm.storage.NoDescriptorException;
import kvant.lsm.storage.StorageFullException;
import kvant.lsm.storage.StorageFullException.Limit;

/// Which calls fail, and how.
public final class Faults {

    /// The way a call fails.
    public enum Kind {
        /// An input/output error; of a write, after any part of it.
        EIO,
        /// No room: creations and writes fail before anything is written, syncs as they do on a file system
        /// that finds its room late.
        ENOSPC,
        /// As ENOSPC, after half of a write.
        SHORT_ENOSPC,
        /// The largest size of a file: writes fail in their midst.
        EFBIG,
        /// No file descriptor: what opens a file fails.
        EMFILE,
        /// An unexpected exception, after half of a write.
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

    /// The exception of a failing call.
    IOException failure(Call call) {
        String what = "injected: " + kind + " in " + call;
        IOException cause = new IOException(what);
        return switch (kind) {
            case EIO -> cause;
            case ENOSPC, SHORT_ENOSPC ->
                call.operation() == Call.Operation.SYNC
                        ? cause
                        : new StorageFullException(Limit.DISK, call.file(), cause);
            case EFBIG -> new StorageFullException(Limit.FILE_SIZE, call.file(), cause);
            case EMFILE -> new NoDescriptorException(what, cause);
            case BUG -> throw new IllegalStateException(what);
        };
    }

    /// A full disk does not keep anyone from reading, deleting or shortening.
    private boolean isPossible(Call.Operation operation) {
        return switch (operation) {
            case WRITE, PREALLOCATE -> kind != Kind.EMFILE;
            case CREATE -> kind != Kind.BUG && kind != Kind.EFBIG;
            case SYNC -> kind == Kind.EIO || kind == Kind.ENOSPC || kind == Kind.SHORT_ENOSPC;
            case MAP, SYNC_DIRECTORY -> kind == Kind.EIO || kind == Kind.EMFILE;
            case LIST, TRUNCATE, RENAME, DELETE, USABLE_BYTES -> kind == Kind.EIO;
        };
    }
}
