package kvant.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.SortedMap;

/// Where backups lie: objects with names such as `files/NAME`, which appear whole or not at all. Belongs to one thread.
///
/// Every failure is an [IOException] whose message is a line for a person.
public interface ObjectStore extends AutoCloseable {

    /// Stores the content of a file, in the place of what had that name. Durable when this returns.
    ///
    /// @param sha256 of the content, in hexadecimal; where what was read is something else, nothing is stored
    void put(String name, Path content, String sha256) throws IOException;

    /// As [#put(String, Path, String)], for what is small.
    void put(String name, byte[] content) throws IOException;

    /// Stores something unless the name is taken. Of several callers one alone succeeds.
    ///
    /// @return whether this one has
    boolean create(String name, byte[] content) throws IOException;

    /// Stores something in the place of an object that still has the expected content. Of several callers who expect
    /// the same one alone succeeds.
    ///
    /// @param expected all that the object holds; small
    /// @return whether this one has
    boolean replace(String name, byte[] expected, byte[] content) throws IOException;

    /// @throws NoSuchFileException where there is no such object
    InputStream get(String name) throws IOException;

    /// The sizes of all objects of a folder, by their names in it.
    SortedMap<String, Long> list(String folder) throws IOException;

    /// Durable when this returns; what is not there is no error.
    void delete(String name) throws IOException;

    /// Deletes what broken-off calls have left. Nobody else may use the store meanwhile.
    void discardUnfinished() throws IOException;

    /// For messages: where this object is.
    String describe(String name);

    @Override
    void close();
}
