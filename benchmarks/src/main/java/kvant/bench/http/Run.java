package kvant.bench.http;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One slice of load on one server.
///
/// @param perSecond answers a second
/// @param cpuMicros CPU time of the server per answer
record Run(double perSecond, double cpuMicros) {

    private static final double MICROS_PER_TICK = 1e6 / 100;
    private static final Pattern WRK_COUNT = Pattern.compile("(\\d+) requests in");
    private static final Pattern WRK_RATE = Pattern.compile("Requests/sec:\\s+([\\d.]+)");
    private static final Pattern REDIS_RATE = Pattern.compile("\"GET\",\"([\\d.]+)\"");

    /// A closed loop of wrk: one thread, one request in flight per connection.
    static Run wrk(Path wrk, Subject subject, int connections, int seconds) throws IOException, InterruptedException {
        long before = subject.cpuTicks();
        String text = Tools.output(
                List.of(wrk.toString(), "-t1", "-c" + connections, "-d" + seconds + "s", subject.url()), seconds);
        long ticks = subject.cpuTicks() - before;
        if (text.contains("Non-2xx") || text.contains("Socket errors")) {
            throw new IOException(subject.name() + " did not answer every request: " + text.strip());
        }
        return new Run(number(WRK_RATE, text), ticks * MICROS_PER_TICK / number(WRK_COUNT, text));
    }

    /// As many gets of `redis-benchmark`, without pipelining.
    static Run redis(Path program, Subject subject, int connections, long requests)
            throws IOException, InterruptedException {
        String port = subject.url().substring(subject.url().lastIndexOf(':') + 1);
        List<String> command = List.of(
                program.toString(),
                "-p",
                port,
                "-c",
                Integer.toString(connections),
                "-n",
                Long.toString(requests),
                "-t",
                "get",
                "--csv");
        long before = subject.cpuTicks();
        String text = Tools.output(command, 600);
        return new Run(number(REDIS_RATE, text), (subject.cpuTicks() - before) * MICROS_PER_TICK / requests);
    }

    private static double number(Pattern pattern, String text) throws IOException {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IOException("the load generator did not print what was expected: " + text.strip());
        }
        return Double.parseDouble(matcher.group(1));
    }
}
