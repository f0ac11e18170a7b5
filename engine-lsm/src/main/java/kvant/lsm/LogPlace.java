package kvant.lsm;

import java.nio.file.Path;

/// Where a store has its logs.
public sealed interface LogPlace {

    /// In the data directory. A store whose logs are elsewhere is refused: it is told by its directory where they are.
    LogPlace INSIDE = new Inside();

    /// Where the store had them last; for tools.
    LogPlace AS_IT_IS = new AsItIs();

    /// In a directory of their own. The data directory itself stands for [#INSIDE], and logs that are elsewhere come
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
