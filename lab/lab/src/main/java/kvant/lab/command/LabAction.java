package kvant.lab.command;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// A command of the laboratory: its help, where it writes, and how it refuses what it was given.
abstract class LabAction implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            order = Integer.MAX_VALUE, // below the options of the command
            description = "Show this help.")
    private boolean helpRequested;

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    final ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    final ParameterException wrong(String message, Throwable why) {
        return new ParameterException(spec.commandLine(), message, why);
    }

    /// The value of an option, whose name goes before what its parser has against it.
    final <T> T parsed(String option, String text, Function<String, T> parser) {
        return parsed(spec, option, text, parser);
    }

    /// The same for a group of options.
    ///
    /// @param spec of the command that has the group
    static <T> T parsed(CommandSpec spec, String option, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "'" + option + "': " + e.getMessage(), e);
        }
    }
}
