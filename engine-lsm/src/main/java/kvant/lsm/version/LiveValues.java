package kvant.lsm.version;

import kvant.lsm.storage.FileNames;
import kvant.lsm.value.ValueFile;
import kvant.lsm.value.ValueFileInfo;

/// An open value file, which versions hold whose tables refer to it.
final class LiveValues extends LiveFile {

    private final ValueFileInfo info;
    private final ValueFile file;

    LiveValues(ValueFileInfo info, ValueFile file) {
        super(info.number(), info.bytes(), FileNames.values(info.number()), file);
        this.info = info;
        this.file = file;
    }

    ValueFileInfo info() {
        return info;
    }

    ValueFile file() {
        return file;
    }
}
