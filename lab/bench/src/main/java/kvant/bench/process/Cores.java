package kvant.bench.process;

import java.io.IOException;
import java.util.List;
import kvant.lab.process.ProgramPath;
import kvant.lab.process.Programs;
import kvant.lab.process.Workbench;

/// Separate cores for a node and its generator, so that neither slows down the other.
public final class Cores {

    private Cores() {}

    /// @param keep reverts the setting for this process
    /// @param ofServer number of cores for the server, the first ones; this process uses the others
    /// @return words that start a server on its cores, empty if no core is left for the generator
    public static List<String> split(Workbench keep, int ofServer) throws IOException {
        int cores = Runtime.getRuntime().availableProcessors();
        if (cores <= ofServer || ProgramPath.find("taskset") == null) {
            return List.of();
        }
        pin(ofServer + "-" + (cores - 1));
        keep.keep(() -> pin("0-" + (cores - 1)));
        return List.of("taskset", "-c", "0-" + (ofServer - 1));
    }

    /// Pins all threads of this process, and those that they start.
    private static void pin(String cores) throws IOException {
        String pid = Long.toString(ProcessHandle.current().pid());
        Programs.run("taskset", "-a", "-c", "-p", cores, pid);
    }
}
