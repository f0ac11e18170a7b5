package kvant.bench.http;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import kvant.bench.process.Generator;
import kvant.lab.process.Programs;
import kvant.load.plan.LoadPlan;
import kvant.load.run.RunResult;

/// A slice of load on one server, in a closed loop: one thread, one request in flight per connection.
///
/// @param perSecond answers per second
/// @param cpuMicros CPU time of the server per answer
/// @param generatorMicros CPU time of the generator per answer; NaN if not measured
public record Slice(double perSecond, double cpuMicros, double generatorMicros) {

    private static final double NANOS_PER_MICRO = 1e3;
    private static final double MICROS_PER_SECOND = 1e6;
    private static final Pattern WRK_COUNT = Pattern.compile("(\\d+) requests in");
    private static final Pattern WRK_RATE = Pattern.compile("Requests/sec:\\s+([\\d.]+)");
    private static final Pattern TIMES = Pattern.compile("(?s)user\\s+([\\d.]+)\\s+sys\\s+([\\d.]+)");
    private static final Pattern REDIS_RATE = Pattern.compile("\"[GS]ET\",\"([\\d.]+)\"");

    /// Load by wrk; the shell measures its CPU time.
    public static Slice wrk(Path wrk, Subject subject, int connections, double seconds) throws IOException {
        String headers =
                subject.headers().stream().map(header -> "-H '" + header + "' ").collect(Collectors.joining());
        String command = "time -p '" + wrk + "' -t1 -c" + connections + " -d" + Math.max(1, Math.round(seconds)) + "s "
                + headers + "'" + subject.url() + "'";
        long before = subject.server().cpuNanos();
        String text = Programs.run("bash", "-c", command);
        long nanos = subject.server().cpuNanos() - before;
        if (text.contains("Non-2xx") || text.contains("Socket errors")) {
            throw new IOException(subject.name() + " did not answer every request: " + text.strip());
        }
        double count = number(WRK_COUNT, text, 1);
        double generator = number(TIMES, text, 1) + number(TIMES, text, 2);
        return new Slice(
                number(WRK_RATE, text, 1), nanos / NANOS_PER_MICRO / count, generator * MICROS_PER_SECOND / count);
    }

    /// Load by Kvant's generator.
    public static Slice own(Subject subject, int connections, double seconds) throws IOException {
        return own(subject, subject.plain(connections, seconds));
    }

    /// Load according to a plan.
    static Slice own(Subject subject, LoadPlan plan) throws IOException {
        long before = subject.server().cpuNanos();
        RunResult result = Generator.run(plan);
        long nanos = subject.server().cpuNanos() - before;
        if (result.counts().errors() > 0) {
            throw new IOException(
                    subject.name() + " did not answer " + result.counts().errors() + " requests as it should");
        }
        double count = Math.max(1, result.sentWithWarmup());
        return new Slice(
                result.achievedRate(), nanos / NANOS_PER_MICRO / count, result.cpuNanos() / NANOS_PER_MICRO / count);
    }

    /// A number of requests by `redis-benchmark`.
    ///
    /// @param options selecting one kind of request
    static Slice redis(Path program, Subject subject, int connections, long requests, List<String> options)
            throws IOException {
        String port = subject.url().replaceAll("\\D+$", "").replaceFirst(".*:", "");
        List<String> command = new ArrayList<>(List.of(program.toString(), "-p", port, "--csv"));
        command.addAll(List.of("-c", Integer.toString(connections), "-n", Long.toString(requests)));
        command.addAll(options);
        long before = subject.server().cpuNanos();
        String text = Programs.run(command);
        double micros = (subject.server().cpuNanos() - before) / NANOS_PER_MICRO / requests;
        return new Slice(number(REDIS_RATE, text, 1), micros, Double.NaN);
    }

    private static double number(Pattern pattern, String text, int group) throws IOException {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IOException("the load generator did not print what was expected: " + text.strip());
        }
        return Double.parseDouble(matcher.group(group));
    }
}
