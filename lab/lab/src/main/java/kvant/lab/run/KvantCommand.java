package kvant.lab.run;

import java.util.ArrayList;
import java.util.List;
import kvant.lab.experiment.Server;

/// How a node of the Kvant that runs the laboratory is started: the same program, in a process of
/// its own.
///
/// @param java the JVM and the options that the launcher gives it
/// @param main the class path and the main class
/// @param bench those of the benchmarks, or empty where they are not built
public record KvantCommand(List<String> java, List<String> main, List<String> bench) {

    public KvantCommand {
        java = List.copyOf(java);
        main = List.copyOf(main);
        bench = List.copyOf(bench);
    }

    /// @param jvm options after those of the launcher, so that they win
    List<String> serve(Server.Program program, List<String> jvm, List<String> arguments) {
        List<String> words = new ArrayList<>(java);
        words.addAll(jvm);
        words.addAll(program.isBench() ? bench : main);
        words.add(program.command());
        words.addAll(arguments);
        return words;
    }
}
