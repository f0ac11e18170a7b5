package kvant.lab.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Server;
import kvant.lab.experiment.Variant;
import kvant.lab.process.ProgramPath;

/// Asks other servers for their version when a run begins, because a report that does not say what was
/// measured is worth nothing. Who does not answer has none.
final class PeerVersions {

    private static final long LIMIT_SECONDS = 10;
    private static final int MOST_READ = 4096;
    private static final int LONGEST = 200;

    private PeerVersions() {}

    /// @param leftOut variants that will not start
    /// @return by the name of a variant
    static Map<String, String> of(Experiment experiment, Set<String> leftOut) {
        Map<String, String> versions = new LinkedHashMap<>();
        for (Variant variant : experiment.variants()) {
            if (!leftOut.contains(variant.name())
                    && variant.server() instanceof Server.External external
                    && !external.peer().version().isEmpty()) {
                versions.put(variant.name(), ask(external));
            }
        }
        return versions;
    }

    private static String ask(Server.External external) {
        ProcessBuilder builder = new ProcessBuilder(external.peer().version()).redirectErrorStream(true);
        builder.environment().put("PATH", ProgramPath.text());
        try {
            Process process = builder.start();
            try (InputStream said = process.getInputStream()) {
                process.getOutputStream().close();
                CompletableFuture<Process> _ = process.onExit()
                        .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                        .exceptionally(_ -> process.destroyForcibly());
                return firstLine(new String(said.readNBytes(MOST_READ), StandardCharsets.UTF_8));
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException _) {
            return "";
        }
    }

    private static String firstLine(String said) {
        String line = said.lines()
                .map(String::strip)
                .filter(one -> !one.isEmpty())
                .findFirst()
                .orElse("");
        return line.substring(0, Math.min(LONGEST, line.length()));
    }
}
