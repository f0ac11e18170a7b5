package kvant.lab.tail;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import kvant.text.UserException;

/// The recording settings for a node with which the time of its requests can be divided: a file for
/// `-XX:StartFlightRecording:settings=FILE`.
public final class JfrSettings {

    private static final String RESOURCE = "kvant-lab.jfc";

    private JfrSettings() {}

    /// Every request is recorded: a request that was slow in transmission may have been fast in the node.
    ///
    /// @throws UserException when the file cannot be written
    public static void write(Path file) {
        try (InputStream in = JfrSettings.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("the laboratory lacks its file " + RESOURCE);
            }
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UserException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
