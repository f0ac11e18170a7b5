package kvant.lab.tail;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import kvant.text.UserException;

/// The settings with which a node is recorded, so that the time of its requests can be divided: a file for
/// `-XX:StartFlightRecording:settings=FILE`.
public final class JfrSettings {

    private static final String RESOURCE = "kvant-lab.jfc";
    private static final String ALL_REQUESTS = "<setting name=\"threshold\">0 ns</setting>";

    private JfrSettings() {}

    /// Every request is recorded: one that was slow on its way may have been fast in the node.
    ///
    /// @throws UserException where the file cannot be written
    public static void write(Path file) {
        write(file, text());
    }

    /// For rates at which the recording would be too large: requests that took less time in the node are not recorded,
    /// and where they waited elsewhere remains unknown.
    ///
    /// @throws UserException where the file cannot be written
    public static void write(Path file, Duration requestThreshold) {
        int request = text().indexOf(ALL_REQUESTS); // the first is that of the requests
        String text = text();
        write(
                file,
                text.substring(0, request)
                        + ALL_REQUESTS.replace("0 ns", requestThreshold.toNanos() + " ns")
                        + text.substring(request + ALL_REQUESTS.length()));
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UserException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    static String text() {
        try (InputStream in = JfrSettings.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("the laboratory lacks its file " + RESOURCE);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UserException("cannot read the settings of the recorder: " + e.getMessage(), e);
        }
    }
}
