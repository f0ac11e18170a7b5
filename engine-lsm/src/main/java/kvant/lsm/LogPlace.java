package kvant.lsm;

import java.nio.file.Path;

/// The location of a store's logs.
public sealed interface LogPlace {

    /// In the data directory. A store whose logs are elsewhere is refused, with the location that its directory
    /// records.
    LogPlace INSIDE = new Inside();

    /// The last recorded location; for tools.
    LogPlace AS_IT_IS = new AsItIs();

    /// In a directory of their own. The data directory itself stands for [#INSIDE]: logs that are elsewhere are moved
    /// back into it.
    static LogPlace in(Path directory) {
        return new Directory(directory);
    }

    /// See [LogPlace#INSIDE].
    record Inside() implements LogPlace {}

    /// See [LogPlace#AS_IT_IS].
    record AsItIs() implements LogPlace {}

    /// See [LogPlace#in].
    record Directory(Path path) implements LogPlace {}
}
