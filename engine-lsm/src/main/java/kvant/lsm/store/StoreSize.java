package kvant.lsm.store;

import kvant.lsm.memtable.Memtable;
import kvant.lsm.read.SuperVersion;
import kvant.lsm.value.ValueFileInfo;
import kvant.lsm.version.Run;

/// How many bytes a store has: tables, files of values with what is garbage in them, and memtables, which
/// become tables. Not counted is what passes: files that a merge is writing, and those that readers or a
/// checkpoint still hold.
public final class StoreSize {

    private StoreSize() {}

    /// Looks at no file, so that a version that is just being replaced is no matter. Any thread may call.
    public static long of(SuperVersion view) {
        long bytes = view.active().isEmpty() ? 0 : view.active().bytes(); // it has memory before it has data
        for (Memtable memtable : view.sealed()) {
            bytes += memtable.bytes();
        }
        for (Run run : view.version().runs()) {
            bytes += run.bytes();
        }
        for (ValueFileInfo file : view.version().valueFileInfos()) {
            bytes += file.bytes();
        }
        return bytes;
    }
}
