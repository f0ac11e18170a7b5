package kvant.load.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/// The files with Linux's statistics of a machine. Values that are missing, as on other systems, are NaN, 0 or empty.
///
/// @param proc usually `/proc`
/// @param sys usually `/sys`
record HostFiles(Path proc, Path sys) {

    /// The unit of `/proc/stat`: 100 per second on every architecture with a JVM.
    static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1) / 100;

    private static final int STEAL = 8;

    static HostFiles ofThisMachine() {
        return new HostFiles(Path.of("/proc"), Path.of("/sys"));
    }

    static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1).strip();
        } catch (IOException _) {
            return "";
        }
    }

    static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException _) {
            return Double.NaN;
        }
    }

    /// Processor time of some categories by index: user, nice, system, idle, iowait, irq, softirq, steal, from 1 on.
    private double nanos(int... places) {
        String first = text(proc.resolve("stat")).lines().findFirst().orElse("");
        String[] cells = first.split(" +");
        if (cells.length <= STEAL || !cells[0].equals("cpu")) {
            return Double.NaN;
        }
        return TICK_NANOS
                * Arrays.stream(places)
                        .mapToDouble(place -> number(cells[place]))
                        .sum();
    }

    /// Number of processors in these figures, possibly more than this process may use; 0 if unknown.
    int processorCount() {
        return (int) text(proc.resolve("stat"))
                .lines()
                .filter(line -> line.matches("cpu\\d+ .*"))
                .count();
    }

    /// Busy time of all processors together.
    double busyNanos() {
        return nanos(1, 2, 3, 6, 7);
    }

    /// Time of all processors together in user mode.
    double userNanos() {
        return nanos(1, 2);
    }

    /// The user time of this process.
    double ownUserNanos() {
        return UserTime.in(proc.resolve("self/stat"));
    }

    /// Time in which processors of this virtual machine were ready to work, but the host ran others.
    double stolenNanos() {
        return nanos(STEAL);
    }

    /// Time in which at least one task waited for a resource.
    ///
    /// @param resource `cpu`, `io` or `memory`
    double pressureNanos(String resource) {
        for (String word : text(proc.resolve("pressure").resolve(resource)).split("\\s+")) {
            if (word.startsWith("total=")) { // of the line `some`, the first one
                return 1e3 * number(word.substring("total=".length()));
            }
        }
        return Double.NaN;
    }

    /// Runnable tasks over the last minute.
    double load() {
        return number(text(proc.resolve("loadavg")).split(" ")[0]);
    }

    private Path controlGroup() {
        String own = text(proc.resolve("self/cgroup"))
                .lines()
                .filter(line -> line.startsWith("0::/"))
                .findFirst()
                .orElse("0::/");
        Path group = sys.resolve("fs/cgroup").resolve(own.substring("0::/".length()));
        return Files.isDirectory(group) ? group : sys.resolve("fs/cgroup"); // the path may belong to an outer namespace
    }

    /// Time in which the control group was throttled because its quota was used up.
    double throttledNanos() {
        return text(controlGroup().resolve("cpu.stat"))
                .lines()
                .filter(line -> line.startsWith("throttled_usec "))
                .mapToDouble(line -> 1e3 * number(line.substring("throttled_usec ".length())))
                .findFirst()
                .orElse(Double.NaN);
    }

    /// Number of processors that the control group may use, NaN without a limit.
    double processorsAllowed() {
        String[] cells = text(controlGroup().resolve("cpu.max")).split(" ");
        return cells.length == 2 ? number(cells[0]) / number(cells[1]) : Double.NaN;
    }

    /// Bytes that the control group may use, NaN without a limit.
    double memoryAllowed() {
        return number(text(controlGroup().resolve("memory.max")));
    }

    /// The frequency governor of the processors, empty if unknown.
    String governor() {
        return text(sys.resolve("devices/system/cpu/cpu0/cpufreq/scaling_governor"));
    }
}
