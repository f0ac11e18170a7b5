package kvant.lab.result;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.stream.Stream;

/// The machine of a run. Unknown properties are empty or 0.
public record Machine(int cores, String cpu, long memoryBytes, String kernel, String os, String jvm) {

    private static final long KIB = 1024;

    public static Machine ofThis() {
        String memory = line(Path.of("/proc/meminfo"), "MemTotal:", text -> text.replaceAll("\\D", ""));
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                line(Path.of("/proc/cpuinfo"), "model name", text -> text.substring(text.indexOf(':') + 1)),
                memory.isEmpty() ? 0 : Long.parseLong(memory) * KIB,
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                line(Path.of("/etc/os-release"), "PRETTY_NAME=", text -> text.replaceAll("^\\w+=|\"", "")),
                System.getProperty("java.vm.name") + " " + Runtime.version());
    }

    private static String line(Path file, String start, Function<String, String> value) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(start))
                    .findFirst()
                    .map(value)
                    .map(String::strip)
                    .orElse("");
        } catch (IOException | UncheckedIOException _) {
            return ""; // not Linux
        }
    }
}
