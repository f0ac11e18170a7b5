package kvant.prove.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/// CLOCK: libfaketime before a process, with a file that says by how many seconds its clock of the day is off.
/// Monotonic time is left as it is.
public final class FakeClock {

    /// After which a process has the clock that was set.
    public static final long SET_MILLIS = 1_100;

    private static final List<String> PLACES = List.of(
            "/usr/lib/x86_64-linux-gnu/faketime",
            "/usr/lib/aarch64-linux-gnu/faketime",
            "/usr/lib64/faketime",
            "/usr/lib/faketime",
            "/usr/local/lib/faketime");

    private final Path file;

    public FakeClock(Path folder) throws IOException {
        file = folder.resolve("clock");
        shift(0);
    }

    public static String obstacle() {
        return library().isEmpty() ? "no libfaketime (apt-get install libfaketime)" : "";
    }

    /// Of a process that is to have this clock.
    public Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library(),
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_CACHE_DURATION", "1", // in seconds: without, each look at a clock reads the file
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "FAKETIME_DONT_RESET", "1");
    }

    /// Within a second the clock is so many seconds before (negative) or after the true time.
    public void shift(long seconds) throws IOException {
        Path aside = file.resolveSibling("clock.new");
        Files.writeString(aside, (seconds < 0 ? "" : "+") + seconds + "\n");
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String library() {
        return PLACES.stream()
                .map(place -> Path.of(place, "libfaketimeMT.so.1"))
                .filter(Files::exists)
                .findFirst()
                .map(Path::toString)
                .orElse("");
    }
}
