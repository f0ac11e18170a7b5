package kvant.lab.run;

import java.util.ArrayList;
import java.util.List;
import kvant.lab.experiment.Server;

/// The command that starts a node of the Kvant running the laboratory: the same program, in a separate process.
///
/// @param java JVM with the launcher's options
/// @param main class path and main class
/// @param bench the same for the benchmarks, or empty if they are not built
public record KvantCommand(List<String> java, List<String> main, List<String> bench) {

    public KvantCommand {
        java = List.copyOf(java);
        main = List.copyOf(main);
        bench = List.copyOf(bench);
    }

    /// @param jvm options after those of the launcher, so that they take precedence
    List<String> serve(Server.Program program, List<String> jvm, List<String> arguments) {
        List<String> words = new ArrayList<>(java);
        words.addAll(jvm);
        words.addAll(program.isBench() ? bench : main);
        words.add(program.command());
        words.addAll(arguments);
        return words;
    }
}
