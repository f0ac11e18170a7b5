package kvant.cli.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import kvant.cli.config.Setting.Given;
import kvant.text.UserException;
import kvant.text.command.CommandRunner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/// Runs commands. For commands that have `--config`, it adds options from the environment and from the configuration
/// file: those that are settings of a node and are not on the command line.
///
/// Owned by the thread that runs the command.
public final class ConfiguredRunner extends CommandRunner {

    /// Of every command that takes settings of a node.
    private static final String DATA_OPTION = "--data";

    private final Map<String, String> environment;
    private final Supplier<CommandSpec> serve;
    private final Function<List<String>, String> obstacle;
    private List<Given> added = List.of();
    private List<String> typed = List.of();

    /// @param root with all its subcommands
    /// @param readable failures whose message is for users
    /// @param serve the command whose options are the settings
    /// @param obstacle returns the reason why that command refuses these options, or an empty text
    public ConfiguredRunner(
            CommandLine root,
            List<Class<? extends Exception>> readable,
            Map<String, String> environment,
            Supplier<CommandSpec> serve,
            Function<List<String>, String> obstacle) {
        super(root, readable);
        this.environment = environment;
        this.serve = serve;
        this.obstacle = obstacle;
    }

    @Override
    protected String[] complete(CommandLine root, String[] arguments) {
        if (!isAnythingSet(arguments)) {
            return arguments;
        }
        ParseResult parsed;
        try {
            parsed = innermost(root.parseArgs(arguments));
        } catch (ParameterException _) {
            return arguments; // refused when it is executed
        }
        CommandSpec command = parsed.commandSpec();
        if (parsed.isUsageHelpRequested()
                || !command.optionsMap().containsKey(Settings.FILE_OPTION)
                || !command.optionsMap().containsKey(DATA_OPTION)) { // 'config check' reads the file itself
            return arguments;
        }
        try {
            added = missing(parsed);
        } catch (UserException wrong) {
            throw new ParameterException(command.commandLine(), String.valueOf(wrong.getMessage()), wrong);
        }
        int options = afterName(root, arguments, command);
        List<String> line = new ArrayList<>(Arrays.asList(arguments));
        typed = List.copyOf(line.subList(options, line.size()));
        line.addAll(options, Sources.words(added));
        return line.toArray(String[]::new);
    }

    /// False for most command lines, which are then parsed only once.
    private boolean isAnythingSet(String[] arguments) {
        return Sources.areAny(environment)
                || Arrays.stream(arguments).anyMatch(word -> word.startsWith(Settings.FILE_OPTION));
    }

    private static ParseResult innermost(ParseResult parsed) {
        ParseResult inner = parsed;
        while (inner.hasSubcommand()) {
            inner = inner.subcommand();
        }
        return inner;
    }

    private List<Given> missing(ParseResult parsed) {
        Map<String, OptionSpec> options = parsed.commandSpec().optionsMap();
        @Nullable String file = parsed.matchedOptionValue(Settings.FILE_OPTION, null);
        Collection<Given> all =
                Sources.read(new Settings(serve.get()), environment, file).values();
        return all.stream()
                .filter(given -> options.containsKey("--" + given.setting().key()))
                .filter(given -> !parsed.hasMatchedOption("--" + given.setting().key()))
                .toList();
    }

    /// The index of the first option of a command.
    private static int afterName(CommandLine root, String[] arguments, CommandSpec command) {
        int next = 0;
        List<String> names = new ArrayList<>();
        for (CommandLine one = command.commandLine(); one != root; one = one.getParent()) {
            names.addFirst(one.getCommandName());
        }
        for (String name : names) {
            while (!arguments[next].equals(name)) {
                next++;
            }
            next++;
        }
        return next;
    }

    @Override
    protected String originOf(ParameterException wrong) {
        if (added.isEmpty()) {
            return "";
        }
        @Nullable ArgSpec option = wrong.getArgSpec();
        if (option != null) {
            return added.stream()
                    .filter(given -> option.isOption()
                            && ((OptionSpec) option)
                                    .longestName()
                                    .equals("--" + given.setting().key()))
                    .findFirst()
                    .map(given -> " (" + given.setting().key() + " by " + given.origin() + ")")
                    .orElse("");
        }
        return Sources.reasons(CommandRunner.firstLine(wrong), added, typed, obstacle);
    }
}
