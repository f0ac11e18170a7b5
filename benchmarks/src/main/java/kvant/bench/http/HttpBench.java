package kvant.bench.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `kvant bench http`: a hot get through each executor beside nginx answering a static `return 200` of the same size,
/// one
/// event loop each.
///
/// Each round loads every server once, so that whatever else the machine does hits all of them. What counts is the
/// ratio to nginx of the same round: its median, and its smallest and largest value.
@Command(
        name = "http",
        mixinStandardHelpOptions = true,
        description = "Compare the executors with a static nginx over HTTP, interleaved, as ratios.")
public final class HttpBench implements Callable<Integer> {

    private static final List<String> EXECUTORS = List.of("adaptive", "sync", "async", "virtual");
    private static final int WARM_UP_SECONDS = 5;

    @Option(names = "--quick", description = "About a minute: fewer and shorter rounds.")
    private boolean quick;

    @Option(names = "--rounds", description = "Counted rounds (default: 7; 3 with --quick).")
    private int rounds;

    @Option(names = "--seconds", description = "Seconds of each server in a round (default: 8; 2 with --quick).")
    private int seconds;

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
        Path wrk = Tools.find("wrk");
        if (wrk == null) {
            System.out.println("not run: wrk is not installed (apt-get install wrk, brew install wrk)");
            return 1;
        }
        Path scratch = Files.createTempDirectory("kvant-bench");
        List<Subject> subjects = new ArrayList<>();
        try {
            Subjects starter = new Subjects(Path.of(System.getProperty("kvant.root", ".")), scratch, valueBytes);
            Path nginx = Tools.find("nginx");
            subjects.add(nginx == null ? starter.fallback() : starter.nginx(nginx));
            for (String executor : EXECUTORS) {
                subjects.add(starter.node(executor, List.of()));
            }
            Subject redis = redis(starter);
            if (redis != null) {
                subjects.add(redis);
            }
            Map<String, List<Run>> runs = measure(wrk, subjects);
            Report report = new Report(subjects.getFirst().name(), runs, connections, valueBytes, seconds);
            System.out.print(format.equals("json") ? report.json() : report.text());
            return 0;
        } finally {
            subjects.forEach(Subject::close);
            delete(scratch);
        }
    }

    private static @Nullable Subject redis(Subjects starter) throws IOException, InterruptedException {
        Path server = Tools.find("redis-server");
        if (server == null || Tools.find("redis-benchmark") == null) {
            System.err.println("redis: not run, redis-server or redis-benchmark is not installed");
            return null;
        }
        return starter.redis(server);
    }

    private Map<String, List<Run>> measure(Path wrk, List<Subject> subjects) throws IOException, InterruptedException {
        Map<String, List<Run>> runs = new LinkedHashMap<>();
        Map<String, Double> rates = new LinkedHashMap<>();
        for (Subject subject : subjects) {
            runs.put(subject.name(), new ArrayList<>());
            rates.put(subject.name(), run(wrk, subject, WARM_UP_SECONDS, 20_000).perSecond());
        }
        for (int round = 1; round <= rounds; round++) {
            for (Subject subject : subjects) {
                System.err.printf("round %d of %d: %s%n", round, rounds, subject.name());
                runs.get(subject.name()).add(run(wrk, subject, seconds, rates.get(subject.name())));
            }
        }
        return runs;
    }

    /// @param perSecond about how fast it is, for a generator that takes a number of requests
    private Run run(Path wrk, Subject subject, int time, double perSecond) throws IOException, InterruptedException {
        Path benchmark = Tools.find("redis-benchmark");
        return subject.name().equals("redis") && benchmark != null
                ? Run.redis(benchmark, subject, connections, (long) (perSecond * time))
                : Run.wrk(wrk, subject, connections, time);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
