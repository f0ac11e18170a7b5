package kvant.text.command;

import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import kvant.text.ExitCode;
import kvant.text.FileTrouble;
import kvant.text.UserException;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Runs a command line and maps exceptions to one line on stderr and an [ExitCode].
public class CommandRunner {

    private static final char REPLACED = '\uFFFD';

    /// Messages of picocli and what replaces them.
    private static final Map<Pattern, String> OF_THE_PARSER = messages();

    private final CommandLine root;
    private final List<Class<? extends Exception>> readable;

    /// @param root with all its subcommands
    /// @param readable exceptions whose message is a line for the user, besides [UserException]
    public CommandRunner(CommandLine root, List<Class<? extends Exception>> readable) {
        this.root = OptionTypes.register(withHelp(root));
        this.readable = readable;
        OptionGroups.show(root);
    }

    /// Adds the options `-h` and `--help`, which show the help, to a command and its subcommands.
    ///
    /// @return the same command
    public static CommandLine withHelp(CommandLine command) {
        command.getSubcommands().values().forEach(CommandRunner::withHelp);
        if (!command.getCommandSpec().optionsMap().containsKey("--help")) {
            command.getCommandSpec()
                    .addOption(OptionSpec.builder("-h", "--help")
                            .usageHelp(true)
                            .description("Show this help.")
                            .build());
        }
        return command;
    }

    /// Completes the command line with settings from another source.
    ///
    /// @throws ParameterException in one line, for an error in that source
    protected String[] complete(CommandLine commands, String[] arguments) {
        return arguments;
    }

    /// The source of a value that the command refuses, to be appended to the error line; empty for the command line.
    protected String originOf(ParameterException wrong) {
        return "";
    }

    /// Does all that a process would, except for the exit.
    public final int run(PrintWriter out, PrintWriter err, String... arguments) {
        root.setOut(out).setErr(err);
        root.setParameterExceptionHandler((wrong, _) -> explainUsage(wrong));
        root.setExecutionExceptionHandler((failure, command, _) -> explainFailure(failure, command.getErr()));
        try {
            String[] complete = complete(root, arguments);
            refuseWhatWasNotDecoded(complete);
            return root.execute(complete);
        } catch (ParameterException wrong) {
            return explainUsage(wrong);
        } catch (StackOverflowError e) { // picocli hands exceptions on, and no errors
            explainInternal(err, e);
            return ExitCode.FAILED;
        } catch (OutOfMemoryError e) { // outside of the heap: where that is used up, the JVM ends at once
            err.println("kvant: not enough memory: " + firstLine(e) + " (KVANT_JAVA_OPTS=-Xmx1g allows more)");
            return ExitCode.FAILED;
        }
    }

    /// A JVM replaces bytes that its locale does not know: two names of files would be one, and another one than both.
    private void refuseWhatWasNotDecoded(String[] arguments) {
        for (String argument : arguments) {
            if (argument.indexOf(REPLACED) >= 0) {
                throw new ParameterException(root, "'" + argument + "' is not UTF-8" + FileTrouble.localeRemedy());
            }
        }
    }

    private int explainUsage(ParameterException wrong) {
        CommandLine command = wrong.getCommandLine();
        String explanation = wrong instanceof UnmatchedArgumentException unmatched
                ? explainUnknown(unmatched.getUnmatched().getFirst(), command)
                : firstLine(wrong);
        command.getErr().println("kvant: " + explanation + originOf(wrong) + " (see '" + help(command) + "')");
        return ExitCode.USAGE;
    }

    private String help(CommandLine command) {
        boolean hasHelp =
                root.getSubcommands().values().stream().anyMatch(one -> one.getCommand() instanceof HelpCommand);
        boolean nested =
                command.getParent() != null && command.getParent() != root; // 'help' knows no command of another
        if (!hasHelp || nested) {
            return command.getCommandSpec().qualifiedName() + " --help";
        }
        return root.getCommandName() + (command == root ? " help" : " help " + command.getCommandName());
    }

    private static String explainUnknown(String argument, CommandLine command) {
        if (argument.startsWith("-")) {
            return "unknown option '" + argument + "'"
                    + Suggestion.among(command.getCommandSpec().optionsMap().keySet(), argument);
        }
        boolean commandsAlone = command.getCommandSpec().positionalParameters().isEmpty();
        if (command.getParent() == null && commandsAlone) {
            return "unknown command '" + argument + "'"
                    + Suggestion.among(command.getSubcommands().keySet(), argument);
        }
        return "unexpected argument '" + argument + "'";
    }

    /// The first line of a message; of the parser in the style of ours.
    public static String firstLine(Throwable thrown) {
        String message = String.valueOf(thrown.getMessage()).strip();
        int end = message.indexOf('\n');
        String line = end < 0 ? message : message.substring(0, end).strip();
        if (thrown instanceof ParameterException) {
            for (var each : OF_THE_PARSER.entrySet()) {
                line = each.getKey().matcher(line).replaceFirst(each.getValue());
            }
        }
        return line;
    }

    private static Map<Pattern, String> messages() {
        Map<Pattern, String> messages = new LinkedHashMap<>();
        messages.put(Pattern.compile("^Error: "), "");
        messages.put(Pattern.compile("^Invalid value for option '(.+?)'(?: \\(.+?\\))?: "), "'$1': ");
        messages.put(Pattern.compile("^Invalid value for positional parameter at index .+? \\((.+?)\\): "), "$1: ");
        messages.put(
                Pattern.compile("^Missing required parameter for option '(.+?)' \\((.+)\\)$"),
                "'$1' needs a value: $2");
        messages.put(Pattern.compile("^Missing required options(?: and parameters)?: (.+)$"), "$1 are needed");
        messages.put(Pattern.compile("^Missing required option: (.+)$"), "$1 is needed");
        messages.put(Pattern.compile("^Missing required parameters?: (.+)$"), "$1 is needed");
        messages.put(Pattern.compile("^Missing required argument.*?: \\((.+)\\)$"), "one of these is needed: $1");
        messages.put(Pattern.compile("^Missing required subcommand"), "a subcommand is needed");
        messages.put(Pattern.compile("^option '(.+?)'.* should be specified only once$"), "'$1' is given twice");
        messages.put(Pattern.compile("^(.+) are mutually exclusive .*$"), "$1 exclude each other");
        return messages;
    }

    private int explainFailure(Exception failure, PrintWriter err) {
        if (failure instanceof UserException || readable.stream().anyMatch(kind -> kind.isInstance(failure))) {
            err.println("kvant: " + firstLine(failure));
        } else if (failure instanceof InvalidPathException path) {
            err.println(
                    "kvant: '" + path.getInput() + "' is not a path: " + path.getReason() + FileTrouble.localeRemedy());
        } else {
            explainInternal(err, failure);
        }
        return ExitCode.FAILED;
    }

    private static void explainInternal(PrintWriter err, Throwable failure) {
        err.println("kvant: internal error: " + failure.getClass().getSimpleName() + ": " + firstLine(failure)
                + " (KVANT_JAVA_OPTS=-Dkvant.debug=true shows where, for a report)");
        if (Boolean.getBoolean("kvant.debug")) {
            failure.printStackTrace(err);
        }
    }
}
