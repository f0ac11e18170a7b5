package kvant.lsm.wal;

/// The types of records, in all record files.
public final class RecordType {

    /// A commit group; see [GroupDescriptor].
    public static final int GROUP = 1;
    /// An empty record whose synced offset says that everything before it was durable: the last one of a log
    /// that was finished, and behind each edit of a manifest.
    public static final int END = 2;
    /// A change of the version; manifest only.
    public static final int EDIT = 3;

    private RecordType() {}
}
