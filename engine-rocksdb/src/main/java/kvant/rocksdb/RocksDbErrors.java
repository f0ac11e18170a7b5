package kvant.rocksdb;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.engine.EngineException;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/// Translates failures of RocksDB to exceptions of the port. Pure.
final class RocksDbErrors {

    /// RocksDB names the damaged file as in `... in /data/rocksdb/000012.sst offset 4096 size 1234`.
    private static final Pattern DAMAGED = Pattern.compile("in (.+\\.(?:sst|log|blob)) offset (\\d+)");

    private static final Pattern FILE = Pattern.compile("(\\S+\\.(?:sst|log|blob)|\\S*MANIFEST-\\d+)");

    private static final String NO_SPACE = "No space left on device";
    private static final String NO_QUOTA = "Disk quota exceeded";

    private RocksDbErrors() {}

    static EngineException ofRead(RocksDBException e, Path directory) {
        return codeOf(e) == Status.Code.Corruption ? corruption(e, directory) : io("read", e, directory);
    }

    /// Translates the failure of a write or of a sync. Unless it is a full disk or damage, the log can no longer be
    /// relied on: RocksDB has appended or synced it in part, and a further sync could succeed without the data.
    static EngineException ofWrite(RocksDBException e, Path directory) {
        if (isNoSpace(e)) {
            return new EngineException.StorageFull(
                    "no space left for " + directory + ": free some; writes resume by themselves");
        }
        return switch (codeOf(e)) {
            case Corruption -> corruption(e, directory);
            case IOError ->
                new EngineException.LogFailed("the log in " + directory + " failed (" + detail(e)
                        + "): writes stop, reads continue; restart to recover");
            default -> io("write", e, directory);
        };
    }

    static EngineException ofCheckpoint(Exception e) {
        String why = String.valueOf(e.getMessage());
        boolean full = (e instanceof RocksDBException own && isNoSpace(own))
                || why.contains(NO_SPACE)
                || why.contains(NO_QUOTA);
        String message = "no checkpoint was made: " + why;
        return full ? new EngineException.StorageFull(message) : new EngineException.Io(message, e);
    }

    static EngineException.CannotOpen ofOpen(RocksDBException e, Path directory) {
        String message = "cannot open the RocksDB store in " + directory + ": " + detail(e);
        return switch (codeOf(e)) {
            case Corruption ->
                new EngineException.CannotOpen(message + "; nothing was changed: restore the directory from a copy", e);
            case InvalidArgument, NotSupported ->
                new EngineException.CannotOpen(message + "; use the version that wrote it", e);
            default -> new EngineException.CannotOpen(message, e);
        };
    }

    /// Whether a read from memory alone could not be answered.
    static boolean isIncomplete(RocksDBException e) {
        return codeOf(e) == Status.Code.Incomplete;
    }

    private static EngineException corruption(RocksDBException e, Path directory) {
        String detail = detail(e);
        Matcher damaged = DAMAGED.matcher(detail);
        if (damaged.find()) {
            return new EngineException.Corruption(damaged.group(1), Long.parseLong(damaged.group(2)), detail);
        }
        Matcher file = FILE.matcher(detail);
        String name = file.find() ? file.group(1) : "a file in " + directory;
        return new EngineException.Corruption(name, 0, detail + " (offset not known)");
    }

    private static EngineException io(String action, RocksDBException e, Path directory) {
        return new EngineException.Io("RocksDB failed to " + action + " in " + directory + ": " + detail(e), e);
    }

    /// The sub-code is lost where RocksDB repeats an earlier error, the text is not.
    private static boolean isNoSpace(RocksDBException e) {
        Status status = e.getStatus();
        return (status != null && status.getSubCode() == Status.SubCode.NoSpace)
                || detail(e).contains(NO_SPACE);
    }

    private static Status.Code codeOf(RocksDBException e) {
        Status status = e.getStatus();
        return status == null ? Status.Code.Undefined : status.getCode();
    }

    private static String detail(RocksDBException e) {
        String message = e.getMessage();
        String text = message == null || message.isBlank() ? codeOf(e).name() : message;
        return text.replace('\n', ' ');
    }
}
