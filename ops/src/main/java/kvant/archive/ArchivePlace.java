package kvant.archive;

import java.io.IOException;
import kvant.backup.ObjectStore;

/// Where an archive lies. Any thread may call it; what it opens belongs to one.
public interface ArchivePlace {

    /// @param folder of the archive, or empty for all of it
    ObjectStore open(String folder) throws IOException;
}
