package kvant.lsm.version;

import kvant.lsm.value.ValueFile;
import kvant.lsm.value.ValueFileInfo;

/// An open value file, and who holds it: versions whose tables refer to it.
final class LiveValues {

    private final ValueFileInfo info;
    private final ValueFile file;
    private final FileHolders holders = new FileHolders();

    LiveValues(ValueFileInfo info, ValueFile file) {
        this.info = info;
        this.file = file;
    }

    ValueFileInfo info() {
        return info;
    }

    ValueFile file() {
        return file;
    }

    FileHolders holders() {
        return holders;
    }
}
