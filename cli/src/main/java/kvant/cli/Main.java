package kvant.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import kvant.cassandra.cluster.ClusterException;
import kvant.engine.Durability;
import kvant.engine.EngineException;
import kvant.lab.LabException;
import kvant.lab.net.Sockets;
import kvant.lsm.LsmOptions;
import kvant.lsm.compaction.simulation.Workload;
import kvant.move.copy.CopyException;
import kvant.rocksdb.Preset;
import kvant.server.ExecutorKind;
import kvant.server.StartException;
import kvant.server.TransportKind;
import kvant.server.service.PoolOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/// `kvant COMMAND`: finds the command, runs it, and maps what it throws to one line on stderr and
/// an [ExitCode].
@Command(
        name = "kvant",
        description = "A high-load key-value node over HTTP.",
        versionProvider = VersionCommand.Provider.class,
        subcommands = {
            ServeCommand.class,
            CheckCommand.class,
            InspectCommand.class,
            CheckpointCommand.class,
            CompactCommand.class,
            MirrorCommand.class,
            LoadCommand.class,
            CompareCommand.class,
            ProfileCommand.class,
            LabCommand.class,
            SlowCommand.class,
            TestCommand.class,
            BenchCommand.class,
            SimulateCommand.class,
            ClusterCommand.class,
            CopyCommand.class,
            VersionCommand.class,
            CommandLine.HelpCommand.class
        },
        footer = {"", "'kvant help COMMAND' describes a command and its options."})
public final class Main implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean helpRequested;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    private boolean versionRequested;

    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(execute(out, err, args));
    }

    /// Runs a command line as a process would, except for the exit.
    static int execute(PrintWriter out, PrintWriter err, String... args) {
        try {
            return commandLine(out, err).execute(args);
        } catch (StackOverflowError e) { // picocli hands exceptions on, and no errors
            explainInternal(err, e);
            return ExitCode.FAILED;
        }
    }

    static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        return new CommandLine(new Main())
                .setOut(out)
                .setErr(err)
                .registerConverter(int.class, Main::wholeNumber)
                .registerConverter(Integer.class, Main::wholeNumber)
                .registerConverter(double.class, Main::number)
                .registerConverter(ByteCount.class, new ByteCount.Option())
                .registerConverter(LsmFlags.Style.class, new Choice<>(LsmFlags.Style.class))
                .registerConverter(LsmOptions.Flush.class, new Choice<>(LsmOptions.Flush.class))
                .registerConverter(LsmFlags.Reads.class, new Choice<>(LsmFlags.Reads.class))
                .registerConverter(Workload.class, new Choice<>(Workload.class))
                .registerConverter(
                        SimulateCompactionCommand.Style.class, new Choice<>(SimulateCompactionCommand.Style.class))
                .registerConverter(
                        SimulateCompactionCommand.Format.class, new Choice<>(SimulateCompactionCommand.Format.class))
                .registerConverter(EngineKind.class, new Choice<>(EngineKind.class))
                .registerConverter(CassandraFlags.Create.class, new Choice<>(CassandraFlags.Create.class))
                .registerConverter(ExecutorKind.class, new Choice<>(ExecutorKind.class))
                .registerConverter(Output.class, new Choice<>(Output.class))
                .registerConverter(PoolOptions.Structure.class, new Choice<>(PoolOptions.Structure.class))
                .registerConverter(PoolOptions.Order.class, new Choice<>(PoolOptions.Order.class))
                .registerConverter(PoolOptions.OnFull.class, new Choice<>(PoolOptions.OnFull.class))
                .registerConverter(SlowCommand.Format.class, new Choice<>(SlowCommand.Format.class))
                .registerConverter(TransportKind.class, new Choice<>(TransportKind.class))
                .registerConverter(Preset.class, new Choice<>(Preset.class))
                .registerConverter(Sockets.Kind.class, new Choice<>(Sockets.Kind.class))
                .registerConverter(LoadCommand.OutputFormat.class, new Choice<>(LoadCommand.OutputFormat.class))
                .registerConverter(Durability.class, new DurabilityOption())
                .registerConverter(QueueBound.class, new QueueBound.Option())
                .setParameterExceptionHandler(Main::explainUsage)
                .setExecutionExceptionHandler(Main::explainFailure);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is needed, such as 'serve'");
    }

    private static Integer wholeNumber(String text) {
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException _) {
            throw new TypeConversionException("'" + text + "' is not a whole number");
        }
    }

    private static Double number(String text) {
        try {
            return Double.valueOf(text);
        } catch (NumberFormatException _) {
            throw new TypeConversionException("'" + text + "' is not a number");
        }
    }

    private static int explainUsage(ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        String help = command.getParent() == null ? "kvant help" : "kvant help " + command.getCommandName();
        String explanation = wrong instanceof UnmatchedArgumentException unmatched
                ? explainUnknown(unmatched.getUnmatched().getFirst(), command)
                : firstLine(wrong);
        command.getErr().println("kvant: " + explanation + " (see '" + help + "')");
        return ExitCode.USAGE;
    }

    private static String explainUnknown(String argument, CommandLine command) {
        if (argument.startsWith("-")) {
            return "unknown option '" + argument + "'"
                    + Suggestion.among(command.getCommandSpec().optionsMap().keySet(), argument);
        }
        if (command.getParent() == null) {
            return "unknown command '" + argument + "'"
                    + Suggestion.among(command.getSubcommands().keySet(), argument);
        }
        return "unexpected argument '" + argument + "'";
    }

    private static String firstLine(Throwable thrown) {
        String message = String.valueOf(thrown.getMessage()).strip();
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end).strip();
    }

    private static int explainFailure(Exception failure, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        if (failure instanceof EngineException
                || failure instanceof StartException
                || failure instanceof ClusterException
                || failure instanceof CopyException
                || failure instanceof LabException) {
            err.println("kvant: " + firstLine(failure));
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
