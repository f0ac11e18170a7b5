package kvant.bench.jmh;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import kvant.bench.access.BlockAccessBench;
import kvant.bench.memtable.MemtableBench;
import kvant.text.UserException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `kvant bench jmh NAME`: parts that are called millions of times a second, each in JVMs of its own by JMH.
@Command(
        name = "jmh",
        mixinStandardHelpOptions = true,
        description = "Time parts of the engine by JMH: memtable, access (ways to a block in memory).")
public final class JmhBench implements Callable<Integer> {

    private static final Map<String, Class<?>> SUBJECTS =
            Map.of("memtable", MemtableBench.class, "access", BlockAccessBench.class);

    @Parameters(paramLabel = "NAME", description = "memtable or access.")
    private String subject = "";

    @Option(names = "--quick", description = "Once, in this JVM, a few milliseconds each: shows that it works.")
    private boolean quick;

    @Option(names = "--only", description = "Only the benchmarks whose name has this.")
    private String only = "";

    @Option(names = "--param", description = "NAME=VALUE,...: values of a parameter of the benchmark.")
    private List<String> params = new ArrayList<>();

    @Override
    public Integer call() {
        Class<?> type = SUBJECTS.get(subject);
        if (type == null) {
            throw new UserException("there is no benchmark '" + subject + "' for JMH: it is memtable or access");
        }
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(type.getName().replace(".", "\\.") + "\\..*" + only)
                .shouldFailOnError(true);
        if (quick) {
            options.forks(0).warmupIterations(0).measurementIterations(1).measurementTime(TimeValue.milliseconds(5));
        }
        for (String param : params) {
            String[] parts = param.split("=", 2);
            if (parts.length != 2) {
                throw new UserException("'" + param + "' is not NAME=VALUE");
            }
            options.param(parts[0], parts[1].split(","));
        }
        try {
            return new Runner(options.build()).run().isEmpty() ? 1 : 0;
        } catch (RunnerException e) {
            throw new UserException("JMH failed: " + e.getMessage(), e);
        }
    }
}
