package kvant.cli.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import kvant.text.ExitCode;
import kvant.text.UserException;
import kvant.text.command.CliCommand;
import kvant.text.command.CommandGroup;
import kvant.text.command.CommandRunner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// `kvant config`: the settings of a node.
@Command(name = "config", description = "Show, check or describe the settings of a node.")
public final class ConfigCommand extends CommandGroup {

    private final Map<String, String> environment;
    private final Supplier<CommandLine> serve;
    private final Function<List<String>, String> obstacle;

    private ConfigCommand(
            Map<String, String> environment, Supplier<CommandLine> serve, Function<List<String>, String> obstacle) {
        this.environment = environment;
        this.serve = serve;
        this.obstacle = obstacle;
    }

    /// With its subcommands.
    ///
    /// @param serve makes the command whose options are the settings
    /// @param obstacle why that command refuses these options, or empty
    public static CommandLine commandLine(
            Map<String, String> environment, Supplier<CommandLine> serve, Function<List<String>, String> obstacle) {
        ConfigCommand config = new ConfigCommand(environment, serve, obstacle);
        return new CommandLine(config)
                .addSubcommand(new CommandLine(config.new Print()).setUnmatchedOptionsArePositionalParams(true))
                .addSubcommand(config.new Check())
                .addSubcommand(config.new Reference());
    }

    /// `kvant config print`: what a node would be started with, and where each value comes from.
    @Command(
            name = "print",
            description = "Show what 'kvant serve' with these options would be started with, as a file of settings.",
            sortOptions = false,
            footer = {
                "",
                "Behind each value stands where it comes from: the command line, a variable of",
                "the environment, or file and line. Nothing is started.",
                "Exit codes: 0 shown, 2 'serve' would refuse this (the reason is on stderr)."
            })
    private final class Print extends CliCommand {

        @Option(names = "--effective", description = "Show what is not set, too: as comments, with what then holds.")
        private boolean effective;

        @Parameters(
                paramLabel = "OPTION",
                arity = "0..*",
                description = "Options of 'kvant serve', --config FILE among them.")
        private List<String> options = new ArrayList<>();

        @Override
        public Integer call() {
            CommandLine command = serve.get();
            Settings settings = new Settings(command.getCommandSpec());
            ParseResult typed = typed(command);
            Map<String, Given> given = new LinkedHashMap<>(sources(settings, typed));
            given.keySet().removeIf(key -> typed.hasMatchedOption("--" + key));
            String refusal = obstacle.apply(line(given));
            if (!refusal.isEmpty()) {
                throw wrong(refusal + Sources.reasons(refusal, given.values(), options, obstacle));
            }
            for (OptionSpec option : typed.matchedOptions()) {
                if (Settings.isSetting(option)) {
                    Setting setting = Setting.of(option);
                    given.put(setting.key(), new Given(setting, typedValue(setting), Given.COMMAND_LINE));
                }
            }
            out().print(SettingsText.of(settings, given, effective));
            out().flush();
            return ExitCode.DONE;
        }

        private static String typedValue(Setting setting) {
            return setting.isFlag()
                    ? String.valueOf(setting.option().<Object>getValue())
                    : String.join(
                            setting.option().splitRegex(), setting.option().originalStringValues());
        }

        private ParseResult typed(CommandLine command) {
            try {
                return command.parseArgs(options.toArray(String[]::new));
            } catch (UnmatchedArgumentException wrong) {
                throw refused("unknown option '" + wrong.getUnmatched().getFirst() + "'", wrong);
            } catch (ParameterException wrong) {
                throw refused(CommandRunner.firstLine(wrong), wrong);
            }
        }

        private Map<String, Given> sources(Settings settings, ParseResult typed) {
            try {
                @Nullable String file = typed.matchedOptionValue(Settings.FILE_OPTION, null);
                return Sources.read(settings, environment, file);
            } catch (UserException wrong) {
                throw refused(String.valueOf(wrong.getMessage()), wrong);
            }
        }

        private List<String> line(Map<String, Given> given) {
            List<String> line = Sources.words(given.values());
            line.addAll(options);
            return line;
        }

        private ParameterException refused(String why, RuntimeException cause) {
            return new ParameterException(spec().commandLine(), why, cause);
        }
    }

    /// `kvant config check`: whether a node would take a file of settings.
    @Command(
            name = "check",
            description = "Say whether 'kvant serve' would take a file of settings, by itself.",
            sortOptions = false,
            footer = {
                "",
                "Looks at names, values and how they go together, and at no variable of the",
                "environment but KVANT_CONFIG. Nothing is started.",
                "Exit codes: 0 it would, 1 it would not (the reason is on stderr), 2 wrong",
                "command line."
            })
    private final class Check extends CliCommand {

        @Parameters(
                paramLabel = "FILE",
                arity = "0..1",
                description = "The file (default: the one that KVANT_CONFIG names).")
        private @Nullable String file;

        @Override
        public Integer call() {
            @Nullable String named = file == null ? Sources.file(environment) : file;
            if (named == null) {
                throw wrong("name a file, or let KVANT_CONFIG name one");
            }
            Settings settings = new Settings(serve.get().getCommandSpec());
            List<Given> given =
                    List.copyOf(ConfigFile.read(Sources.path(named), settings).values());
            String refusal = obstacle.apply(Sources.words(given));
            if (!refusal.isEmpty()) {
                throw new UserException(refusal + Sources.reasons(refusal, given, List.of(), obstacle));
            }
            out().println(named + ": nothing is wrong with its " + given.size()
                    + (given.size() == 1 ? " setting" : " settings"));
            return ExitCode.DONE;
        }
    }

    /// `kvant config reference`: docs/configuration.md, as this version is.
    @Command(name = "reference", description = "Print a page about all settings, in Markdown.")
    private final class Reference extends CliCommand {

        @Override
        public Integer call() {
            out().print(ReferencePage.of(new Settings(serve.get().getCommandSpec())));
            out().flush();
            return ExitCode.DONE;
        }
    }
}
