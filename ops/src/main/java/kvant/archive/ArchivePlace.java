package kvant.archive;

import java.io.IOException;
import kvant.backup.ObjectStore;

/// The place of an archive. Any thread may call it; each store that it opens belongs to one thread.
public interface ArchivePlace {

    /// @param folder within the archive, or empty for all of it
    ObjectStore open(String folder) throws IOException;
}
