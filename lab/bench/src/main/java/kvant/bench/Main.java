package kvant.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import kvant.bench.engine.EngineBench;
import kvant.bench.engine.GrowthBench;
import kvant.bench.engine.MemoryBench;
import kvant.bench.generator.LoadBench;
import kvant.bench.http.BesideBench;
import kvant.bench.http.HttpBench;
import kvant.bench.node.ArchiveBench;
import kvant.bench.node.StartBench;
import kvant.bench.peer.CassandraCommand;
import kvant.bench.peer.OneNioCommand;
import kvant.bench.published.PublishedServeCommand;
import kvant.text.command.CommandRunner;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kvant bench NAME`. Its commands are registered only here. The launcher finds a name in the annotation of the
/// command's class, and can thus refuse an unknown one without a build.
@Command(
        name = "kvant bench",
        mixinStandardHelpOptions = true,
        description = "Compare with peers, with other ways, and with what was tried and lost, in one run, as ratios.",
        subcommands = {
            EngineBench.class,
            GrowthBench.class,
            MemoryBench.class,
            BesideBench.class,
            HttpBench.class,
            StartBench.class,
            ArchiveBench.class,
            LoadBench.class,
            PublishedServeCommand.class,
            OneNioCommand.class,
            CassandraCommand.class
        })
public final class Main implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(execute(out, err, args));
    }

    /// Runs a command line like a separate process, but without exiting.
    public static int execute(PrintWriter out, PrintWriter err, String... args) {
        return execute(new Main(), out, err, args);
    }

    static int execute(Object program, PrintWriter out, PrintWriter err, String... args) {
        CommandLine commands = new CommandLine(program).setCaseInsensitiveEnumValuesAllowed(true); // in lists of them
        return new CommandRunner(commands, List.of(IOException.class)).run(out, err, args);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a benchmark is needed, such as 'engine'");
    }
}
