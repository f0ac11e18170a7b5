package kvant.prove.fault;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import kvant.lab.process.Folders;

/// CLOCK: libfaketime before a process, with a file that says by how many seconds its clock of the day is off.
/// Monotonic time is left as it is.
public final class FakeClock {

    /// After which a process has the clock that was set.
    public static final long SET_MILLIS = 1_100;

    private static final String PLACES =
            "/usr/lib/x86_64-linux-gnu /usr/lib/aarch64-linux-gnu /usr/lib64 /usr/lib /usr/local/lib";

    private final Path file;

    public FakeClock(Path folder) {
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
    public void shift(long seconds) {
        Folders.write(file, (seconds < 0 ? "" : "+") + seconds + "\n");
    }

    private static String library() {
        return Stream.of(PLACES.split(" "))
                .map(place -> Path.of(place, "faketime", "libfaketimeMT.so.1"))
                .filter(Files::exists)
                .findFirst()
                .map(Path::toString)
                .orElse("");
    }
}
