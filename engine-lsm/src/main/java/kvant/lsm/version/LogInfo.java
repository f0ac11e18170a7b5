package kvant.lsm.version;

import org.jspecify.annotations.Nullable;

/// The manifest's entry of a log.
///
/// @param number of the file
/// @param id from its header: another file under the same name has another one
/// @param bytes of the file once it was finished, all of them synced; 0 while the log is written, and for one that an
///     older version has finished
/// @param lastSequence of a finished log: the last that was given in it or before it
public record LogInfo(long number, long id, long bytes, long lastSequence) {

    /// A log that begins.
    public LogInfo(long number, long id) {
        this(number, id, 0, 0);
    }

    /// Describes the missing part of a finished log. A crash cannot be the reason: the whole log was synced before
    /// this entry was written.
    ///
    /// @param validBytes valid bytes of the file
    /// @param foundSequence the last sequence number that is known without later logs
    /// @return null for a log that is whole, or that was not finished
    public @Nullable String shortfall(long validBytes, long foundSequence) {
        if (validBytes >= bytes && foundSequence >= lastSequence) {
            return null;
        }
        String missing = foundSequence < lastSequence
                ? "versions " + (foundSequence + 1) + " to " + lastSequence + " are missing"
                : "its end is missing, and no version";
        return "only " + validBytes + " bytes of it are valid, and the manifest says that it was finished with " + bytes
                + ", up to version " + lastSequence + ": " + missing;
    }
}
