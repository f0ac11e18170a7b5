package kvant.cli.engine;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import kvant.archive.ArchivePlace;
import kvant.backup.DirectoryStore;
import kvant.backup.ObjectStore;
import kvant.backup.s3.S3Store;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// The target option of backups or an archive: a directory, or a bucket with a prefix.
///
/// @param endpoint of a server other than Amazon's
/// @param create whether directories may be created
public record TargetPlace(String target, @Nullable URI endpoint, boolean create) implements ArchivePlace {

    /// Help of the options for the endpoint.
    public static final String ENDPOINT = "S3 server (default: Amazon's).";

    /// Work on the opened place.
    public interface Work<T> {
        T with(ObjectStore store) throws IOException;
    }

    @Override
    public ObjectStore open(String folder) throws IOException {
        if (S3Store.isUrl(target)) {
            return S3Store.open(folder.isEmpty() ? target : target.replaceFirst("/+$", "") + "/" + folder, endpoint);
        }
        if (!folder.isEmpty() && create) {
            DirectoryStore.open(Path.of(target), true).close(); // creates one level at a time
        }
        return DirectoryStore.open(Path.of(target).resolve(folder), create);
    }

    /// @param what description of the contents, for messages
    public <T> T use(String what, Work<T> work) {
        try (ObjectStore store = open("")) {
            return work.with(store);
        } catch (IOException e) {
            String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new UserException(what + " in " + target + ": " + reason, e);
        }
    }
}
