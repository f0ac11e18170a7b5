package kvant.lab.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import kvant.text.command.CliCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// A command of the laboratory: its help, its output, and its reporting of invalid arguments.
abstract class LabAction extends CliCommand {

    /// Options that determine where a run takes place, not what is measured.
    private static final Set<String> OF_THIS_MACHINE = Set.of("--out", "--work", "--lang", "--tree");

    /// Options that are repeated even when defaulted: later versions may have other defaults.
    private static final Set<String> ALWAYS_TOLD = Set.of("--workload", "--metric");

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            order = Integer.MAX_VALUE, // below the options of the command
            description = "Show this help.")
    private boolean helpRequested;

    /// Parses the value of an option; an error message starts with the name of the option.
    final <T> T parsed(String option, String text, Function<String, T> parser) {
        return parsed(spec(), option, text, parser);
    }

    /// The same for a group of options.
    ///
    /// @param spec of the command that has the group
    static <T> T parsed(CommandSpec spec, String option, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    "'" + option + "': " + String.valueOf(e.getMessage()).replaceAll("\\p{Cntrl}", "?"),
                    e);
        }
    }

    /// The command line that repeats this one elsewhere, without its operands: all options that affect the measurement,
    /// and no paths of this machine.
    final List<String> toRepeat() {
        List<String> words = new ArrayList<>(List.of("./kvant", "lab", spec().name()));
        words.addAll(given(spec()));
        return words;
    }

    static List<String> given(CommandSpec spec) {
        List<String> words = new ArrayList<>();
        for (OptionSpec option : spec.options()) {
            String name = option.longestName();
            boolean given = spec.commandLine().getParseResult().hasMatchedOption(option);
            if (ALWAYS_TOLD.contains(name)) {
                words.addAll(List.of(name, String.join(",", option.<List<String>>getValue())));
            } else if (given && !OF_THIS_MACHINE.contains(name)) {
                words.add(name);
                if (option.arity().max() > 0) {
                    words.add(String.join(",", option.originalStringValues()));
                }
            }
        }
        return words;
    }
}
