package kvant.bench.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import kvant.bench.process.FolderSize;

/// The cost of random overwrites: every key of a store is overwritten [#TIMES] times on average, in random order, until
/// the engine is idle.
///
/// @param putsPerSecond from the first put until the engine is idle
/// @param written bytes written to all files, per byte of keys and values
/// @param space size of all files, per byte of the keys and values in the store
record Amplification(String name, double putsPerSecond, double written, double space) {

    static final int TIMES = 5;

    private static final String WRITE_CALLS = "wchar: ";

    private static final int SETTLE_EVERY = 1 << 16;

    static Amplification measure(Contender contender, Path directory, Dataset data) {
        RandomGenerator random = data.random();
        long puts = TIMES * data.keys();
        double recordBytes = Keys.BYTES + data.valueBytes();
        long writtenBytes = bytesWritten();
        long begin = System.nanoTime();
        for (long i = 0; i < puts; i++) {
            contender.put(Keys.key(random.nextLong(data.keys())), data.value(random));
            if (i % SETTLE_EVERY == 0) {
                contender.settle();
            }
        }
        contender.rest();
        double seconds = (System.nanoTime() - begin) / 1e9;
        return new Amplification(
                contender.name(),
                puts / seconds,
                (bytesWritten() - writtenBytes) / (puts * recordBytes),
                FolderSize.bytes(directory) / (data.keys() * recordBytes));
    }

    /// Bytes that this process has passed to write calls (`proc_pid_io(5)`): measured outside the engines, so that all
    /// are measured in the same way.
    private static long bytesWritten() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/io"))) {
            return lines.filter(line -> line.startsWith(WRITE_CALLS))
                    .mapToLong(line -> Long.parseLong(line.substring(WRITE_CALLS.length())))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException("only Linux reports the bytes that a process writes", e);
        }
    }
}
