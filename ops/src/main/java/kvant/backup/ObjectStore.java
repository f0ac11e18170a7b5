package kvant.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.SortedMap;

/// A place for backups: objects with names such as `files/NAME`, each stored atomically. Belongs to one thread.
///
/// Every failure is an [IOException] with a one-line message for operators.
public interface ObjectStore extends AutoCloseable {

    /// Stores the content of a file and replaces an object of the same name. Durable when this returns.
    ///
    /// @param sha256 expected hash in hexadecimal; nothing is stored when the content read has another one
    void put(String name, Path content, String sha256) throws IOException;

    /// As [#put(String, Path, String)], for small content.
    void put(String name, byte[] content) throws IOException;

    /// Creates an object unless the name is taken. Of several concurrent callers only one succeeds.
    ///
    /// @return whether this caller created it
    boolean create(String name, byte[] content) throws IOException;

    /// Replaces an object if it still has the expected content. Of several callers that expect the same content only
    /// one succeeds.
    ///
    /// @param expected the complete current content; small
    /// @return whether this caller replaced it
    boolean replace(String name, byte[] expected, byte[] content) throws IOException;

    /// @throws NoSuchFileException when there is no such object
    InputStream get(String name) throws IOException;

    /// The sizes of all objects in a folder, by their names relative to it.
    SortedMap<String, Long> list(String folder) throws IOException;

    /// Deletes an object. Durable when this returns; a missing object is no error.
    void delete(String name) throws IOException;

    /// Deletes the remains of interrupted calls. No other process may use the store meanwhile.
    void discardUnfinished() throws IOException;

    /// The location of an object, for messages.
    String describe(String name);

    @Override
    void close();
}
