package kvant.lsm.storage;

import java.io.IOException;
import kvant.engine.EngineException;

/// Why a mapped file could not be read. The JVM says no more than that an access failed (SIGBUS): either the file has
/// lost its end, or the disk could not deliver a page of it.
public final class ReadFault {

    public static final String SHORTENED = "the file has been shortened while it was open";

    private ReadFault() {}

    /// The failure for a reader of the file.
    ///
    /// @param bytes that the file had when it was mapped
    /// @param offset where it was read
    public static EngineException.Corruption damage(Storage storage, String file, long bytes, long offset) {
        return new EngineException.Corruption(storage.describe(file), offset, explain(storage, file, bytes));
    }

    /// Explains a read fault from the present state of the file.
    ///
    /// @param bytes that it had when it was mapped
    /// @return for a person
    public static String explain(Storage storage, String file, long bytes) {
        try {
            return storage.size(file) < bytes
                    ? SHORTENED
                    : "the file cannot be read (I/O error): it has all its bytes, but the disk fails";
        } catch (IOException e) {
            return "the file cannot be read (I/O error), nor its size: " + e.getMessage();
        }
    }
}
