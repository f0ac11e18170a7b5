package kvant.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import kvant.cli.config.ConfigCommand;
import kvant.cli.config.ConfiguredRunner;
import kvant.cli.control.NodeLogin;
import kvant.cli.manual.CompletionCommand;
import kvant.cli.manual.ManCommand;
import kvant.cli.move.CopyCommand;
import kvant.cli.move.MirrorCommand;
import kvant.cli.node.KeyCommands;
import kvant.cli.serve.LsmOpener;
import kvant.cli.serve.ServeCommand;
import kvant.cli.serve.SlowCommand;
import kvant.cli.serve.Termination;
import kvant.cli.serve.TokenCommand;
import kvant.cli.store.ArchiveCommand;
import kvant.cli.store.BackupCommand;
import kvant.cli.store.RestoreCommand;
import kvant.cli.store.StoreCommand;
import kvant.client.KvantException;
import kvant.engine.EngineException;
import kvant.text.command.CommandProvider;
import kvant.text.command.CommandRunner;
import kvant.text.command.OptionTypes;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kvant COMMAND`: all commands, and their help.
@Command(
        name = "kvant",
        description = "A high-load key-value node over HTTP.",
        versionProvider = VersionCommand.Provider.class,
        footer = {"", "'kvant help COMMAND' describes a command and its options."})
public final class Main implements Runnable {

    private static final String SERVE = "serve";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    private boolean versionRequested;

    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals(SERVE)) {
            Termination.endAtOnceUntilListening(); // first: parsing the command line takes time
        }
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(execute(out, err, args));
    }

    /// Runs `kvant serve` with another way of opening the LSM engine, for experiments.
    ///
    /// @param words options of `kvant serve`
    /// @return the exit code
    public static int serve(LsmOpener opener, PrintWriter out, PrintWriter err, List<String> words) {
        CommandLine main = commandLine();
        ServeCommand command =
                Objects.requireNonNull(main.getSubcommands().get(SERVE)).getCommand();
        command.openLsmBy(opener);
        List<String> line = new ArrayList<>(words);
        line.addFirst(SERVE);
        return run(System.getenv(), main, out, err, line.toArray(String[]::new));
    }

    /// Runs a command line like a separate process, but without exiting.
    public static int execute(PrintWriter out, PrintWriter err, String... args) {
        return execute(System.getenv(), out, err, args);
    }

    /// The same with another environment.
    static int execute(Map<String, String> environment, PrintWriter out, PrintWriter err, String... args) {
        String command = args.length > 0 ? args[0] : "";
        return run(
                environment, isAlone(command) ? alone(command, environment) : commandLine(environment), out, err, args);
    }

    private static boolean isAlone(String command) {
        return command.equals(SERVE) || KeyCommands.NAMES.contains(command);
    }

    /// Registers `serve` or the key commands only: describing all commands takes longer than starting a node or
    /// asking it.
    private static CommandLine alone(String command, Map<String, String> environment) {
        CommandLine kvant = new CommandLine(new Main(), NodeLogin.factory(environment));
        if (command.equals(SERVE)) {
            kvant.addSubcommand(new ServeCommand());
        } else {
            keyCommands().forEach(kvant::addSubcommand);
        }
        return kvant.addSubcommand(new HelpCommand());
    }

    private static List<Object> keyCommands() {
        return KeyCommands.all(System.in, new FileOutputStream(FileDescriptor.out));
    }

    private static int run(
            Map<String, String> environment, CommandLine main, PrintWriter out, PrintWriter err, String... args) {
        return new ConfiguredRunner(
                        main,
                        List.of(EngineException.class, KvantException.class),
                        environment,
                        () -> Objects.requireNonNull(main.getSubcommands().get(SERVE))
                                .getCommandSpec(),
                        ServeCommand::obstacle)
                .run(out, err, args);
    }

    static CommandLine commandLine() {
        return commandLine(System.getenv());
    }

    private static CommandLine commandLine(Map<String, String> environment) {
        return CommandGroups.show(CommandRunner.withHelp(
                withCommands(new CommandLine(new Main(), NodeLogin.factory(environment)), environment)));
    }

    private static CommandLine serve() {
        return OptionTypes.register(new CommandLine(new ServeCommand()));
    }

    /// Registers the commands in the order of the help.
    private static CommandLine withCommands(CommandLine kvant, Map<String, String> environment) {
        kvant.addSubcommand(new ServeCommand());
        keyCommands().forEach(kvant::addSubcommand);
        kvant.addSubcommand(new StoreCommand.Check())
                .addSubcommand(new StoreCommand.Inspect())
                .addSubcommand(new StoreCommand.HealthOf())
                .addSubcommand(new StoreCommand.Checkpoint())
                .addSubcommand(new StoreCommand.Compact())
                .addSubcommand(new BackupCommand())
                .addSubcommand(new ArchiveCommand())
                .addSubcommand(new RestoreCommand())
                .addSubcommand(new StoreCommand.ReadOnly())
                .addSubcommand(new MirrorCommand())
                .addSubcommand(new SlowCommand())
                .addSubcommand(new TokenCommand())
                .addSubcommand(new CopyCommand())
                .addSubcommand(ConfigCommand.commandLine(
                        environment, Main::serve, ServeCommand::obstacle, ServeCommand::computedDefaults))
                .addSubcommand(new ManCommand())
                .addSubcommand(new CompletionCommand())
                .addSubcommand(new VersionCommand())
                .addSubcommand(new HelpCommand());
        return SourceTreeCommand.addTo(
                kvant, new CommandProvider.Program(Main.class.getName(), ServeCommand::obstacle));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is needed, such as 'serve'");
    }

    /// The commands in the help of `kvant`, by purpose.
    ///
    /// @param heading of the group
    /// @param commands in the order of the help
    record CommandGroups(String heading, List<String> commands) {

        static final List<CommandGroups> ALL = List.of(
                group("A node", "serve config token health status slow read-only"),
                group("Keys", "get put delete scan watch"),
                group("A store", "check inspect checkpoint backup archive restore compact copy mirror cluster"),
                group("Measuring", "load compare profile lab"),
                group("In a source tree, by ./kvant", "test bench prove package"),
                group("This program", "help man completion version"));

        private static CommandGroups group(String heading, String commands) {
            return new CommandGroups(heading, List.of(commands.split(" ")));
        }

        /// Makes the help list the commands in these groups.
        static CommandLine show(CommandLine kvant) {
            Map<String, CommandLine.IHelpSectionRenderer> sections = kvant.getHelpSectionMap();
            sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, _ -> "");
            sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandGroups::text);
            return kvant;
        }

        private static String text(Help help) {
            Map<String, Help> all = help.subcommands();
            StringBuilder text = new StringBuilder();
            for (CommandGroups group : ALL) {
                Map<String, Help> commands = new LinkedHashMap<>();
                for (String name : group.commands()) {
                    Help command = all.get(name);
                    if (command != null) { // the help of 'serve' alone has few commands
                        commands.put(name, command);
                    }
                }
                if (!commands.isEmpty()) {
                    String end = System.lineSeparator();
                    text.append(end).append(group.heading()).append(':').append(end);
                    text.append(help.commandList(commands));
                }
            }
            return text.toString();
        }
    }
}
