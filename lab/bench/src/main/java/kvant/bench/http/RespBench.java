package kvant.bench.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Rounds;
import kvant.bench.process.Generator;
import kvant.bench.process.Workbench;
import kvant.lab.process.ProgramPath;
import kvant.load.http.Target;
import kvant.load.plan.LoadPlan;
import kvant.load.workload.Workload;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `kvant bench resp`: a node beside Redis, both with every write on the disk before it is answered, under
/// `redis-benchmark`.
///
/// Each round loads both with each work once; what counts is the ratio of the same round. With `--http` the same node
/// is asked by HTTP too, with as many requests in flight on each connection, and with puts in batches of as many, by
/// Kvant's own generator.
@Command(
        name = "resp",
        mixinStandardHelpOptions = true,
        description = "Compare a node with Redis over RESP, both with durable writes, interleaved, as ratios.")
public final class RespBench implements Callable<Integer> {

    private static final long FIRST_REQUESTS = 5_000;

    @Option(names = "--quick", description = "About a minute: fewer and shorter rounds.")
    private boolean quick;

    @Option(names = "--tests", split = ",", description = "Of redis-benchmark: set, get (default: ${DEFAULT-VALUE}).")
    private List<String> tests = List.of("set", "get");

    @Option(names = "--pipelines", split = ",", description = "Commands at once (default: ${DEFAULT-VALUE}).")
    private List<Integer> pipelines = List.of(1, 16);

    @Option(names = "--http", description = "Ask the node by HTTP too: as many at once, and in batches.")
    private boolean http;

    @Option(names = "--event-loops", description = "Of the node (default: ${DEFAULT-VALUE}).")
    private int loops = 1;

    @Option(names = "--rounds", description = "Counted rounds (default: 7; 3 with --quick).")
    private int rounds;

    @Option(names = "--seconds", description = "About how long each load takes (default: 8; 2 with --quick).")
    private double seconds;

    @Option(names = "--connections", description = "Connections (default: 64).")
    private int connections = 64;

    @Option(names = "--value-bytes", description = "Bytes of a value (default: 30).")
    private int valueBytes = 30;

    @Option(names = "--keys", description = "Keys that are written and read at random (default: 100000).")
    private int keys = 100_000;

    /// What is asked for.
    private record Work(String test, int pipeline) {

        String name() {
            return test.toUpperCase(Locale.ROOT) + (pipeline == 1 ? "" : " -P " + pipeline);
        }

        boolean isBatch() {
            return test.equals("set") && pipeline > 1;
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        rounds = rounds > 0 ? rounds : quick ? 3 : 7;
        seconds = seconds > 0 ? seconds : quick ? 2 : 8;
        @Nullable Path server = ProgramPath.find("redis-server");
        @Nullable Path benchmark = ProgramPath.find("redis-benchmark");
        if (server == null || benchmark == null) {
            throw new UserException("'kvant bench resp' needs redis-server and redis-benchmark"
                    + " (apt-get install redis-server redis-tools, brew install redis)");
        }
        try (Workbench bench = Workbench.open()) {
            Subjects starter = new Subjects(bench, valueBytes);
            Subject redis = starter.redis(server, true);
            Subjects.TwoPorts node = starter.respNode(loops);
            List<Subject> subjects =
                    http ? List.of(redis, node.resp(), node.http(), node.batches()) : List.of(redis, node.resp());
            if (http) {
                Generator.fill(plan(node.http(), new Work("get", 1)));
            }
            print(measure(benchmark, subjects), subjects);
        }
        return 0;
    }

    private List<Work> works() {
        List<Work> works = new ArrayList<>();
        for (String test : tests) {
            for (int pipeline : pipelines) {
                works.add(new Work(test, pipeline));
            }
        }
        return works;
    }

    private Rounds<Slice> measure(Path benchmark, List<Subject> subjects) throws IOException, InterruptedException {
        Rounds<Slice> runs = new Rounds<>();
        Map<String, Long> requests = new HashMap<>();
        for (int round = 0; round <= rounds; round++) { // the first one warms up and says how many requests there are
            System.err.printf("round %d of %d%n", round, rounds);
            for (Work work : works()) {
                for (Subject subject : subjects) {
                    if (takesBatches(subject) && !work.isBatch()) {
                        continue;
                    }
                    String name = name(subject, work);
                    long count = requests.getOrDefault(name, FIRST_REQUESTS * work.pipeline());
                    Slice slice = slice(benchmark, subject, work, count);
                    if (round == 0) {
                        requests.put(name, Math.max(count, (long) (slice.perSecond() * seconds)));
                    } else {
                        runs.add(name, slice);
                    }
                }
            }
        }
        return runs;
    }

    private LoadPlan plan(Subject subject, Work work) {
        String workload = work.test().equals("set") ? "put" : work.test();
        return Generator.plan(Target.parse(subject.url()), workload, keys, valueBytes, connections)
                .with(p -> {
                    p.clients = p.clients.with(c -> c.depth = work.pipeline());
                    p.pace = Generator.pace(0, 0, seconds);
                });
    }

    private static boolean takesBatches(Subject subject) {
        return !subject.headers().isEmpty();
    }

    /// One batch of so many puts again and again, each put counted.
    private Slice batches(Subject subject, int puts) throws IOException {
        StringBuilder batch = new StringBuilder();
        for (int i = 0; i < puts; i++) {
            batch.append(String.format(Locale.ROOT, "put 10 %d\nk%09d", valueBytes, i))
                    .append("v".repeat(valueBytes))
                    .append('\n');
        }
        LoadPlan plan = subject.plain(connections, seconds).with(p -> {
            p.workload = Workload.plain("POST");
            p.body = batch.toString().getBytes(StandardCharsets.US_ASCII);
        });
        Slice each = Slice.own(subject, plan);
        return new Slice(each.perSecond() * puts, each.cpuMicros() / puts, each.generatorMicros() / puts);
    }

    private Slice slice(Path benchmark, Subject subject, Work work, long requests)
            throws IOException, InterruptedException {
        if (takesBatches(subject)) {
            return batches(subject, work.pipeline());
        }
        if (subject.url().startsWith("http:")) {
            return Slice.own(subject, plan(subject, work));
        }
        String options = "-t " + work.test() + " -P " + work.pipeline() + " -d " + valueBytes + " -r " + keys;
        return Slice.redis(benchmark, subject, connections, requests, List.of(options.split(" ")));
    }

    private static String name(Subject subject, Work work) {
        return subject.name() + " " + work.name();
    }

    private void print(Rounds<Slice> runs, List<Subject> subjects) {
        System.out.printf(
                Locale.ROOT,
                "redis-benchmark, %d connections, values of %d bytes, %d keys, %d event loop(s), every write synced,"
                        + " %d rounds of about %s s, ratios to Redis%n%n",
                connections,
                valueBytes,
                keys,
                loops,
                rounds,
                seconds);
        MarkdownTable table = new MarkdownTable(System.out, head());
        for (Work work : works()) {
            String redis = name(subjects.getFirst(), work);
            String kvant = name(subjects.get(1), work);
            List<Object> row = new ArrayList<>(List.of(
                    work.name(),
                    runs.cell("%,.0f", kvant, Slice::perSecond),
                    runs.cell("%,.0f", redis, Slice::perSecond),
                    runs.cell("%.2f", kvant, Slice::cpuMicros),
                    runs.cell("%.2f", redis, Slice::cpuMicros),
                    runs.ratio(kvant, redis, Slice::perSecond).text(),
                    runs.ratio(kvant, redis, Slice::cpuMicros).text()));
            for (Subject other : subjects.subList(2, subjects.size())) {
                row.addAll(cells(runs, name(other, work), redis));
            }
            table.row(row.toArray());
        }
    }

    private List<String> head() {
        List<String> head = new ArrayList<>(List.of(
                "work",
                "kvant, requests/s",
                "Redis, requests/s",
                "kvant, CPU us/request",
                "Redis, CPU us/request",
                "throughput, ratio",
                "CPU per request, ratio"));
        if (http) {
            head.addAll(List.of("by HTTP, requests/s", "CPU us/request", "to Redis, ratio"));
            head.addAll(List.of("in batches, puts/s", "CPU us/put", "to Redis, ratio"));
        }
        return head;
    }

    private static List<String> cells(Rounds<Slice> runs, String name, String redis) {
        return runs.has(name)
                ? List.of(
                        runs.cell("%,.0f", name, Slice::perSecond),
                        runs.cell("%.2f", name, Slice::cpuMicros),
                        runs.ratio(name, redis, Slice::perSecond).text())
                : List.of("-", "-", "-");
    }
}
