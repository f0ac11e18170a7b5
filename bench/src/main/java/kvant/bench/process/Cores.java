package kvant.bench.process;

import java.io.IOException;
import java.util.List;

/// Cores for a node and for its generator, so that neither slows the other.
public final class Cores {

    private static final int PIN_SECONDS = 10;

    private Cores() {}

    /// @return words that start a node on the first core, none where there is no other for the generator
    /// @param keep undoes it for this process
    public static List<String> split(Workbench keep) throws IOException, InterruptedException {
        int cores = Runtime.getRuntime().availableProcessors();
        if (cores < 2 || Programs.find("taskset") == null) {
            return List.of();
        }
        pin("1");
        keep.keep(() -> pin("0-" + (cores - 1)));
        return List.of("taskset", "-c", "0");
    }

    /// All threads of this process, and those that they start.
    private static void pin(String cores) throws IOException, InterruptedException {
        String pid = Long.toString(ProcessHandle.current().pid());
        String _ = Programs.output(List.of("taskset", "-a", "-c", "-p", cores, pid), PIN_SECONDS);
    }
}
