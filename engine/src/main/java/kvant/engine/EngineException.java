package kvant.engine;

import org.jspecify.annotations.Nullable;

/// A failure of an engine. Each kind is a class of its own, because callers answer each differently.
///
/// A message says what happened, where, and where possible what to do, in one line, for a person.
@SuppressWarnings("serial") // never serialized
public abstract sealed class EngineException extends RuntimeException {

    private EngineException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    private EngineException(String message) {
        super(message);
    }

    /// For failures that are answers rather than faults and may come by the thousand a second: no stack trace.
    private EngineException(String message, boolean withStackTrace) {
        super(message, null, false, withStackTrace);
    }

    /// Stored bytes differ from the written ones. The message names the file, the offset, and the way to recover.
    public static final class Corruption extends EngineException {
        private final String file;
        private final long offset;
        private final String detail;

        public Corruption(String file, long offset, String detail) {
            super(file + " is damaged at offset " + offset + ": " + detail
                    + "; restore the data directory from a backup");
            this.file = file;
            this.offset = offset;
            this.detail = detail;
        }

        public String file() {
            return file;
        }

        public long offset() {
            return offset;
        }

        /// The damage that was found there.
        public String detail() {
            return detail;
        }
    }

    /// The disk is full. Reads continue; writes resume by themselves when space returns.
    public static final class StorageFull extends EngineException {
        public StorageFull(String message) {
            super(message, false);
        }
    }

    /// A sync of the log failed before this write, so that nothing more is applied. Reads continue; a restart recovers.
    public static final class LogFailed extends EngineException {
        public LogFailed(String message) {
            super(message, false);
        }
    }

    /// The engine has as much work as it may hold. Try again a little later.
    public static final class Busy extends EngineException {
        public Busy(String message) {
            super(message, false);
        }
    }

    /// Too few replicas are up for the request. Nothing has been applied.
    public static final class Unavailable extends EngineException {
        public Unavailable(String message) {
            super(message, false);
        }
    }

    /// Replicas did not acknowledge a write in time, or the log failed that has it: it may have been applied, or be
    /// applied later, such as by a restart, or never.
    public static final class OutcomeUnknown extends EngineException {
        public OutcomeUnknown(String message) {
            super(message, false);
        }
    }

    /// Replicas did not answer a read in time.
    public static final class TimedOut extends EngineException {
        public TimedOut(String message) {
            super(message, false);
        }
    }

    /// This engine does not support the operation. Nothing has been applied.
    public static final class Unsupported extends EngineException {
        public Unsupported(String message) {
            super(message, false);
        }
    }

    /// The requested version is no longer held, or never was. The reader must start from another position.
    public static final class Gone extends EngineException {
        public Gone(String message) {
            super(message, false);
        }
    }

    /// The engine has been closed.
    public static final class Closed extends EngineException {
        public Closed() {
            super("the engine is closed", false);
        }
    }

    /// Reading or writing failed in a way that none of the others describes.
    public static final class Io extends EngineException {
        public Io(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /// The store could not be opened: held by another process, written by another engine, of a newer format, not
    /// permitted. The message says what to do.
    public static final class CannotOpen extends EngineException {
        public CannotOpen(String message) {
            super(message);
        }

        public CannotOpen(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
