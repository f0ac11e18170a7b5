package kvant.lab.run;

import java.util.ArrayList;
import java.util.List;

/// How a node of the Kvant that runs the laboratory is started: the same program, in a process of
/// its own.
///
/// @param java the JVM and the options that the launcher gives it
/// @param main the class path and the main class
public record KvantCommand(List<String> java, List<String> main) {

    public KvantCommand {
        java = List.copyOf(java);
        main = List.copyOf(main);
    }

    /// @param jvm options after those of the launcher, so that they win
    List<String> serve(List<String> jvm, List<String> arguments) {
        List<String> words = new ArrayList<>(java);
        words.addAll(jvm);
        words.addAll(main);
        words.add("serve");
        words.addAll(arguments);
        return words;
    }
}
