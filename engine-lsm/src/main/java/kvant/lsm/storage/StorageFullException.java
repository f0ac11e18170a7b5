package kvant.lsm.storage;

import java.io.IOException;

/// A file cannot grow, or not be made, because a limit has been met.
public final class StorageFullException extends IOException {

    private static final long serialVersionUID = 1L;

    /// The exhausted limit, as far as the operating system reports it.
    public enum Limit {
        DISK("no space left"),
        /// The quota of the user, the group or the project on the disk. Few file systems count it as free space.
        QUOTA("the quota is used up"),
        /// The limit of this file alone: other files may still grow.
        FILE_SIZE("the largest size of a file is reached");

        private final String text;

        Limit(String text) {
            this.text = text;
        }
    }

    private final Limit limit;
    private final String name;

    /// @param file where it is, as [Storage#describe] says it
    public StorageFullException(Limit limit, String file, Throwable cause) {
        super(limit.text + " for " + file, cause);
        this.limit = limit;
        this.name = file.substring(file.lastIndexOf('/') + 1);
    }

    public Limit limit() {
        return limit;
    }

    /// Whether a log found no room: logs may have a disk of their own.
    public boolean isOfLog() {
        return FileNames.isLog(name);
    }
}
