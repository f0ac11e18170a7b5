package kvant.bench.figures;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import kvant.lab.result.Identity;
import kvant.lab.result.Machine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// The origin of figures, printed above tables and written to files.
///
/// @param facts by name, in print order
public record Origin(Map<String, String> facts) {

    private static final long GIB = 1L << 30;
    private static final int SHORT_COMMIT = 7;

    public Origin {
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    }

    /// @param spec of the measuring command
    /// @param versions of other measured programs, or empty
    public static Origin of(CommandSpec spec, String versions) {
        Identity kvant = Identity.of(Origin.class);
        Machine machine = Machine.ofThis();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("command", commandLine(spec));
        facts.put("commit", shortened(kvant.commit()) + (kvant.changed() ? " (changed)" : ""));
        facts.put("date", LocalDate.now(ZoneOffset.UTC).toString());
        facts.put(
                "machine",
                machine.cores() + " cores of " + machine.cpu() + ", " + machine.memoryBytes() / GIB + " GiB, "
                        + machine.os());
        facts.put("versions", versions.isEmpty() ? machine.jvm() : machine.jvm() + "; " + versions);
        facts.put("load average before", loadAverage());
        return new Origin(facts);
    }

    private static String commandLine(CommandSpec spec) {
        return "./" + spec.root().name() + " "
                + String.join(" ", spec.root().commandLine().getParseResult().originalArgs());
    }

    private static String shortened(@Nullable String commit) {
        return commit != null && commit.length() > SHORT_COMMIT ? commit.substring(0, SHORT_COMMIT) : "unknown";
    }

    private static String loadAverage() {
        try {
            String text = Files.readString(Path.of("/proc/loadavg"));
            return String.join(" ", Arrays.asList(text.split(" ")).subList(0, 3));
        } catch (IOException _) {
            return "unknown"; // not Linux
        }
    }

    /// Prints a Markdown list.
    public void print(PrintStream out) {
        facts.forEach((name, fact) -> {
            String shown = name.equals("command") ? "`" + fact + "`" : fact;
            out.println("- " + Character.toUpperCase(name.charAt(0)) + name.substring(1) + ": " + shown);
        });
        out.println();
        out.flush();
    }
}
