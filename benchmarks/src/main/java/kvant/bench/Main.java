package kvant.bench;

import kvant.bench.cluster.DriverBench;
import kvant.bench.growth.GrowthBench;
import kvant.bench.http.HttpBench;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kvant bench NAME`.
@Command(
        name = "kvant bench",
        mixinStandardHelpOptions = true,
        description = "Compare with peers, in one run, as ratios.",
        subcommands = {
            EngineBench.class,
            PutBench.class,
            CompressionBench.class,
            GrowthBench.class,
            HttpBench.class,
            DriverBench.class
        })
public final class Main implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main())
                .setParameterExceptionHandler((wrong, _) -> {
                    System.err.println("kvant: " + wrong.getMessage() + " (see 'kvant bench --help')");
                    return CommandLine.ExitCode.USAGE;
                })
                .execute(args));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a benchmark is needed, such as 'engine'");
    }
}
