package kvant.cli.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import kvant.cli.config.Setting.Given;
import kvant.cli.config.Sources.ConfigFile;
import kvant.text.ExitCode;
import kvant.text.Json;
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
    private final Function<List<String>, Map<String, String>> computed;

    private ConfigCommand(
            Map<String, String> environment,
            Supplier<CommandLine> serve,
            Function<List<String>, String> obstacle,
            Function<List<String>, Map<String, String>> computed) {
        this.environment = environment;
        this.serve = serve;
        this.obstacle = obstacle;
        this.computed = computed;
    }

    /// The command with its subcommands.
    ///
    /// @param serve makes the command whose options are the settings
    /// @param obstacle why that command refuses these options, or empty
    /// @param computed values of the defaults that depend on the machine or on these options, by key
    public static CommandLine commandLine(
            Map<String, String> environment,
            Supplier<CommandLine> serve,
            Function<List<String>, String> obstacle,
            Function<List<String>, Map<String, String>> computed) {
        ConfigCommand config = new ConfigCommand(environment, serve, obstacle, computed);
        return new CommandLine(config)
                .addSubcommand(new CommandLine(config.new Print()).setUnmatchedOptionsArePositionalParams(true))
                .addSubcommand(config.new Check())
                .addSubcommand(config.new Reference());
    }

    /// `kvant config print`: the settings of a node with these options, and their sources.
    @Command(
            name = "print",
            description = "Print the settings that 'kvant serve' would use with these options, as YAML.",
            sortOptions = false,
            footer = {
                "",
                "A comment behind each value names its source: command line, environment",
                "variable, or file and line. Starts nothing.",
                "Exit codes: 0 printed, 2 'serve' would refuse this (the reason is on stderr)."
            })
    private final class Print extends CliCommand {

        @Option(
                names = "--effective",
                description = "Print defaults too, as comments, with their values on this machine.")
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
            List<String> complete = line(given);
            for (OptionSpec option : typed.matchedOptions()) {
                if (Settings.isSetting(option)) {
                    Setting setting = Setting.of(option);
                    given.put(setting.key(), new Given(setting, typedValue(setting), Given.COMMAND_LINE));
                }
            }
            Map<String, String> defaults = effective ? computed.apply(complete) : null;
            out().print(SettingsText.of(settings, given, defaults));
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

    /// `kvant config check`: whether a node would accept a file of settings.
    @Command(
            name = "check",
            description = "Check a file of settings as 'kvant serve --config FILE' would.",
            sortOptions = false,
            footer = {
                "",
                "Checks names, values and combinations; ignores the environment except",
                "KVANT_CONFIG. Starts nothing.",
                "Exit codes: 0 accepted, 1 refused (the reason is on stderr), 2 wrong command",
                "line."
            })
    private final class Check extends CliCommand {

        @Option(
                names = Settings.FILE_OPTION,
                paramLabel = "FILE",
                description = "The file, as for 'kvant serve' (default: the variable KVANT_CONFIG).")
        private @Nullable String option;

        @Parameters(paramLabel = "FILE", arity = "0..1", description = "The file, without --config.")
        private @Nullable String file;

        @Override
        public Integer call() {
            if (option != null && file != null) {
                throw wrong("give the file once: " + file + " or '--config " + option + "'");
            }
            @Nullable String named = option != null ? option : file == null ? Sources.file(environment) : file;
            if (named == null) {
                throw wrong("name a file by --config or KVANT_CONFIG");
            }
            Settings settings = new Settings(serve.get().getCommandSpec());
            List<Given> given =
                    List.copyOf(ConfigFile.read(Sources.path(named), settings).values());
            String refusal = obstacle.apply(Sources.words(given));
            if (!refusal.isEmpty()) {
                throw new UserException(refusal + Sources.reasons(refusal, given, List.of(), obstacle));
            }
            out().println(named + ": " + given.size() + (given.size() == 1 ? " setting, valid" : " settings, valid"));
            return ExitCode.DONE;
        }
    }

    /// `kvant config reference`: prints docs/configuration.md for this version.
    @Command(name = "reference", description = "Print the reference of all settings, in Markdown.")
    private final class Reference extends CliCommand {

        @Override
        public Integer call() {
            out().print(ReferencePage.of(new Settings(serve.get().getCommandSpec())));
            out().flush();
            return ExitCode.DONE;
        }
    }

    /// The reference page of all settings, generated from the options.
    static final class ReferencePage {

        private static final String INTRODUCTION = """
                # Configuration

                All settings of a node: options of `kvant serve`, variables of the environment, keys of a YAML file.
                This page is made by `./kvant config reference`; a test fails when it is not up to date.

                ## Where a value comes from

                The first of these that has it: the command line, the environment, the file, the default. Wrong values
                are refused in one line that names the option, the variable, or file and line, before anything is opened
                (exit code 2). A check of several values together names each one that takes part in it.

                - **Command line**: `--lsm.memtable 32MiB`. A flag that is set elsewhere is taken back by
                  `--debug-page=false`.
                - **Environment**: `KVANT_LSM_MEMTABLE=32MiB`; flags are `true` or `false`, several values are separated
                  by commas. An empty variable counts as not set. A variable that begins with `KVANT_` and is not known
                  is refused, but for those that the [launcher](run.md#start) reads, and those that Kubernetes
                  sets beside a service of that name (its `KVANT_PORT=tcp://...` is refused: set `enableServiceLinks:
                  false`, or call the service otherwise).
                - **File**: named by `--config FILE`, or by the variable `KVANT_CONFIG`. UTF-8, at most 1 MiB. A dot in
                  a key is the same as nesting; several values are a list, or separated by commas. Unknown keys, second
                  values and empty ones are refused. Paths are relative to the folder in which the command runs, as they
                  are on the command line.

                ```yaml
                data: /var/lib/kvant
                allowed-hosts: [kvant.example, kvant.internal]
                lsm:
                  memtable: 32MiB
                  compression: none,none,lz4,zstd
                ```

                `./kvant config check --config FILE` checks a file. `./kvant config print --effective` with the options
                of `serve` prints the settings of a node as such a file, with the source of each value, and defaults
                as their values on this machine. Commands about a data directory (`check`, `inspect`, `health`,
                `checkpoint`, `compact`, `backup create`, `read-only`, `mirror`, `slow`) take `data` from the same
                places.
                Passwords and keys are never values themselves: settings name the files that hold them.

                Benchmarks and the laboratory start their nodes without the settings of the environment.
                """;

        private ReferencePage() {}

        static String of(Settings settings) {
            StringBuilder page = new StringBuilder(INTRODUCTION);
            BiConsumer<String, List<OptionSpec>> section = (heading, options) -> {
                List<Setting> shown = options.stream()
                        .filter(Settings::isSetting)
                        .map(Setting::of)
                        .toList();
                if (!shown.isEmpty()) {
                    page.append("\n## ").append(heading).append("\n\n");
                    page.append("| option and key | variable | default | meaning |\n|---|---|---|---|\n");
                    shown.forEach(setting -> page.append(row(setting)));
                }
            };
            Map<String, List<OptionSpec>> groups = settings.groups();
            groups.forEach(section);
            return page.toString();
        }

        private static String row(Setting setting) {
            String label = setting.isFlag() ? "" : " " + setting.option().paramLabel();
            return "| `--" + setting.key() + label + "` | `" + setting.variable() + "` | " + escaped(setting.usual())
                    + " | " + escaped(setting.meaning()) + " |\n";
        }

        private static String escaped(String text) {
            return text.replace("|", "\\|").replace("<", "&lt;");
        }
    }

    /// Settings as a settings file, with the source of each as a comment.
    static final class SettingsText {

        /// Text that YAML reads unquoted as that text.
        private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/.][A-Za-z0-9/._+=,-]*");

        private final Settings settings;
        private final Map<String, Given> given;
        private final StringBuilder text = new StringBuilder();
        private final Set<String> begun = new LinkedHashSet<>();

        private SettingsText(Settings settings, Map<String, Given> given) {
            this.settings = settings;
            this.given = given;
        }

        /// @param defaults values of computed defaults by key; null for no defaults at all
        static String of(Settings settings, Map<String, Given> given, @Nullable Map<String, String> defaults) {
            SettingsText writer = new SettingsText(settings, given);
            for (Setting setting : settings.all()) {
                writer.add(setting);
            }
            if (defaults != null) {
                settings.all().stream()
                        .filter(setting -> !given.containsKey(setting.key()))
                        .forEach(setting ->
                                writer.addDefault(setting, defaults.getOrDefault(setting.key(), setting.usual())));
            }
            return writer.text.toString();
        }

        /// Keys of a group are adjacent, because a group may occur only once.
        private void add(Setting setting) {
            String group = group(setting);
            if (group.isEmpty()) {
                line("", setting.key(), given.get(setting.key()));
            } else if (begun.add(group)) {
                int before = text.length();
                text.append(group).append(":\n");
                int header = text.length();
                for (Setting other : settings.all()) {
                    if (group(other).equals(group)) {
                        line("  ", other.key().substring(group.length() + 1), given.get(other.key()));
                    }
                }
                if (text.length() == header) {
                    text.setLength(before);
                }
            }
        }

        /// The part before the first dot; empty if that is a setting itself or has only this one key.
        private String group(Setting setting) {
            int dot = setting.key().indexOf('.');
            String first = dot < 0 ? "" : setting.key().substring(0, dot);
            long below = settings.all().stream()
                    .filter(other -> other.key().startsWith(first + "."))
                    .count();
            return settings.byKey(first) == null && below > 1 ? first : "";
        }

        private void line(String indent, String name, @Nullable Given one) {
            if (one != null) {
                text.append(indent)
                        .append(name)
                        .append(": ")
                        .append(scalar(one.value()))
                        .append("  # ")
                        .append(one.origin())
                        .append('\n');
            }
        }

        private void addDefault(Setting setting, String value) {
            text.append("# ")
                    .append(setting.key())
                    .append(value.isEmpty() ? ": not set" : ": " + value + "  (default)")
                    .append('\n');
        }

        private static String scalar(String value) {
            return PLAIN.matcher(value).matches() ? value : Json.quote(value);
        }
    }
}
