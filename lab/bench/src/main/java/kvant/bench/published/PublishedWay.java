package kvant.bench.published;

import java.util.Locale;

/// An implementation from published servers that the engine has replaced by another one.
public enum PublishedWay {
    /// One lock for all reads and commits; see [LockedReads].
    LOCKED_READS("reads and commits share one lock, as published: for measurements"),
    /// The write that fills a memtable waits for its flush; see [PublishedCommits].
    FOREGROUND_FLUSH("the write that fills a memtable waits for its flush, as published: for measurements");

    private final String explanation;

    PublishedWay(String explanation) {
        this.explanation = explanation;
    }

    /// The name in options, and in health reports.
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String explanation() {
        return explanation;
    }
}
