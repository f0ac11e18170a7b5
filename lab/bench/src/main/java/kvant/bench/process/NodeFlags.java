package kvant.bench.process;

import java.util.List;
import kvant.load.http.Target;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import picocli.CommandLine.Option;

/// Options of the benchmarks that start nodes and load them.
public final class NodeFlags {

    private static final long KEYS_OF_A_RUN = 50_000_000;
    private static final int FILLING = 64;

    @Option(names = "--executors", split = ",", description = "Of 'kvant serve' (default: ${DEFAULT-VALUE}).")
    private List<String> executors = List.of("adaptive", "sync", "async", "virtual");

    @Option(names = "--node-options", description = "More options of 'kvant serve', as one word: '--workers 1'.")
    private String nodeOptions = "";

    @Option(
            names = "--prefix",
            description = "Words before those that start a node, as one word; they must end in an exec.")
    private String prefix = "";

    @Option(names = "--jvm", description = "Options of a node's JVM, as one word.")
    private String jvm = "";

    @Option(names = "--durability", description = "none, always, or a time (default: ${DEFAULT-VALUE}).")
    private String durability = "always";

    @Option(names = "--keys", description = "Keys in the store (default: ${DEFAULT-VALUE}).")
    private long keys = 100_000;

    @Option(names = "--value-bytes", description = "Bytes of a value (default: ${DEFAULT-VALUE}).")
    private int valueBytes = 30;

    @Option(names = "--seconds", description = "Measured time of each load (default: ${DEFAULT-VALUE}).")
    private double seconds = 8;

    @Option(names = "--warmup", description = "Seconds before them (default: ${DEFAULT-VALUE}).")
    private double warmUp = 2;

    private long nextKey;

    public List<String> executors() {
        return executors;
    }

    public boolean hasPrefix() {
        return !prefix.isBlank();
    }

    public long keys() {
        return keys;
    }

    public int valueBytes() {
        return valueBytes;
    }

    public String durability() {
        return durability;
    }

    public double seconds() {
        return seconds;
    }

    public double warmUp() {
        return warmUp;
    }

    /// How a node with an executor is started, with what the options add.
    public Node.Start start(String executor) {
        return Node.Start.of("--executor", executor, "--durability", durability)
                .with(KvantProgram.split(nodeOptions))
                .withJvm(KvantProgram.split(jvm))
                .prefixed(KvantProgram.split(prefix));
    }

    /// One load of a node; puts are of keys that no other load has.
    public LoadPlan plan(Target target, String workload, int connections, int scanned) {
        LoadPlan plan = workload.equals("scan")
                ? Generator.scans(target, keys, valueBytes, connections, scanned)
                : Generator.plan(target, workload, keys, valueBytes, connections);
        nextKey += KEYS_OF_A_RUN;
        long first = keys + nextKey;
        return workload.equals("put") ? plan.with(p -> p.firstInsert = first) : plan;
    }

    public Pace pace(double rate) {
        return Generator.pace(rate, warmUp, seconds);
    }

    /// Puts all keys.
    public void fill(Node node) {
        Generator.fill(plan(node.target(), "get", FILLING, 1));
    }
}
