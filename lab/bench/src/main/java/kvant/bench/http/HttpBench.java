package kvant.bench.http;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Rounds;
import kvant.bench.process.Cores;
import kvant.lab.process.ProgramPath;
import kvant.lab.process.Workbench;
import kvant.text.Json;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `kvant bench http`: compares a hot get through each executor with nginx answering a static `return 200` of the same
/// size, with one event loop each.
///
/// Each round loads every server once, so that disturbances of the machine affect all of them. The result is the ratio
/// to nginx in the same round: its median, minimum and maximum. wrk generates the load; if it is not installed, Kvant's
/// own generator does.
@Command(
        name = "http",
        mixinStandardHelpOptions = true,
        description = "Compare the executors with a static nginx over HTTP, interleaved, as ratios.")
public final class HttpBench implements Callable<Integer> {

    private static final double FIRST_PER_SECOND = 20_000;
    private static final String REDIS = "redis";
    private static final List<String> REDIS_GET = List.of("-t", "get");

    @Option(names = "--quick", description = "About a minute: fewer and shorter rounds.")
    private boolean quick;

    @Option(names = "--executors", split = ",", description = "Which ones (default: ${DEFAULT-VALUE}).")
    private List<String> executors = List.of("adaptive", "sync", "async", "virtual");

    @Option(
            names = "--event-loops",
            split = ",",
            description = "Each executor with so many event loops (default: ${DEFAULT-VALUE}).")
    private List<Integer> loops = List.of(1);

    @Option(names = "--tls", description = "All of them speak TLS 1.3, with one certificate.")
    private boolean tls;

    @Option(names = "--tokens", description = "Each executor once more with a node that asks for a token.")
    private boolean tokens;

    @Option(
            names = "--access-log",
            description = "Each executor once more with a node that writes an access log; with --tokens, of both.")
    private boolean accessLog;

    @Option(
            names = "--apart",
            description = "So many cores for the servers, and the others for the generator (default: all for both).")
    private int apart;

    @Option(names = "--beside", description = "Which of them the ratios are to (default: the static answer).")
    private String beside = "";

    @Option(names = "--rounds", description = "Counted rounds (default: 7; 3 with --quick).")
    private int rounds;

    @Option(names = "--seconds", description = "Seconds of each server in a round (default: 8; 2 with --quick).")
    private double seconds;

    @Option(names = "--warmup", description = "Seconds of each server before the rounds (default: ${DEFAULT-VALUE}).")
    private double warmUp = 5;

    @Option(names = "--connections", description = "Connections, one request in flight each (default: 64).")
    private int connections = 64;

    @Option(names = "--value-bytes", description = "Bytes of the value and of the static answer (default: 30).")
    private int valueBytes = 30;

    @Option(names = "--format", description = "text or json (default: text).")
    private String format = "text";

    @Override
    public Integer call() throws IOException, InterruptedException {
        rounds = rounds > 0 ? rounds : quick ? 3 : 7;
        seconds = seconds > 0 ? seconds : quick ? 2 : 8;
        @Nullable Path wrk = ProgramPath.find("wrk");
        if (wrk == null) {
            System.err.println("wrk is not installed (apt-get install wrk, brew install wrk): kvant load stands in");
        }
        try (Workbench bench = Workbench.open()) {
            List<Subject> subjects = start(bench);
            String baseline = subjects.stream()
                    .map(Subject::name)
                    .filter(name -> beside.isEmpty() || name.equals(beside))
                    .findFirst()
                    .orElseThrow(() -> new UserException("'--beside " + beside + "' is not one of them"));
            Rounds<Slice> runs = measure(wrk, subjects);
            String generator = wrk == null ? "kvant load" : "wrk";
            if (format.equals("json")) {
                System.out.println(json(runs, baseline, generator));
            } else {
                print(runs, baseline, generator);
            }
            return 0;
        }
    }

    private List<Subject> start(Workbench bench) throws IOException, InterruptedException {
        List<String> cores = apart > 0 ? Cores.split(bench, apart) : List.of();
        if (apart > 0 && cores.isEmpty()) {
            throw new UserException("--apart " + apart + " needs taskset, and a core more than that");
        }
        Subjects starter = new Subjects(bench, valueBytes, tls ? Certificate.make(bench.folder()) : null, cores);
        List<Subject> subjects = new ArrayList<>();
        subjects.add(starter.fixedAnswer());
        for (String executor : executors) {
            for (int each : loops) {
                subjects.add(starter.node(executor, each, false, false));
                if (tokens) {
                    subjects.add(starter.node(executor, each, true, false));
                }
                if (accessLog) {
                    subjects.add(starter.node(executor, each, tokens, true));
                }
            }
        }
        if (tls) {
            return subjects;
        }
        @Nullable Path redis = ProgramPath.find("redis-server");
        if (redis == null || ProgramPath.find("redis-benchmark") == null) {
            System.err.println("redis: not run, redis-server or redis-benchmark is not installed");
        } else {
            subjects.add(starter.redis(redis, false));
        }
        return subjects;
    }

    private Rounds<Slice> measure(@Nullable Path wrk, List<Subject> subjects) throws IOException, InterruptedException {
        Rounds<Slice> runs = new Rounds<>();
        Map<String, Double> rates = new HashMap<>();
        for (Subject subject : subjects) {
            rates.put(
                    subject.name(),
                    slice(wrk, subject, warmUp, FIRST_PER_SECOND).perSecond());
        }
        for (int round = 1; round <= rounds; round++) {
            for (Subject subject : subjects) {
                System.err.printf("round %d of %d: %s%n", round, rounds, subject.name());
                double rate = rates.getOrDefault(subject.name(), FIRST_PER_SECOND);
                runs.add(subject.name(), slice(wrk, subject, seconds, rate));
            }
        }
        return runs;
    }

    /// @param perSecond approximate speed, for a generator that takes a number of requests
    private Slice slice(@Nullable Path wrk, Subject subject, double time, double perSecond)
            throws IOException, InterruptedException {
        @Nullable Path benchmark = ProgramPath.find("redis-benchmark");
        if (subject.name().equals(REDIS) && benchmark != null) {
            return Slice.redis(benchmark, subject, connections, (long) (perSecond * time), REDIS_GET);
        }
        return wrk == null ? Slice.own(subject, connections, time) : Slice.wrk(wrk, subject, connections, time);
    }

    private void print(Rounds<Slice> runs, String baseline, String generator) {
        System.out.printf(
                Locale.ROOT,
                "hot get of %d bytes%s, %d connections of %s, one event loop unless said, %d rounds of %s s,"
                        + " ratios to %s%n%n",
                valueBytes,
                tls ? " over TLS 1.3" : "",
                connections,
                generator,
                rounds,
                seconds,
                baseline);
        MarkdownTable table = new MarkdownTable(
                System.out, "server", "requests/s", "CPU us/request", "throughput, ratio", "CPU per request, ratio");
        for (String name : runs.names()) {
            table.row(
                    name,
                    runs.cell("%,.0f", name, Slice::perSecond),
                    runs.cell("%.2f", name, Slice::cpuMicros),
                    runs.ratio(name, baseline, Slice::perSecond).text(),
                    runs.ratio(name, baseline, Slice::cpuMicros).text());
        }
    }

    private String json(Rounds<Slice> runs, String baseline, String generator) {
        Json json = Json.line()
                .open()
                .put("baseline", baseline)
                .put("generator", generator)
                .put("tls", tls)
                .put("connections", connections)
                .put("valueBytes", valueBytes)
                .put("rounds", rounds)
                .put("seconds", seconds);
        json.openList("servers");
        for (String name : runs.names()) {
            json.open()
                    .put("name", name)
                    .put("requestsPerSecond", runs.median(name, Slice::perSecond))
                    .put("cpuMicros", runs.median(name, Slice::cpuMicros));
            runs.ratio(name, baseline, Slice::perSecond).write(json, "throughput");
            runs.ratio(name, baseline, Slice::cpuMicros).write(json, "cpu");
            json.close();
        }
        return json.closeList().close().toString();
    }
}
