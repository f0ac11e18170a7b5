package kvant.bench.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.ToDoubleFunction;

/// What the rounds say: ratios to the baseline of the same round, with their spread.
///
/// @param baseline name of the server that the others are compared with
/// @param runs of each server, one per round
record Report(String baseline, Map<String, List<Run>> runs, int connections, int valueBytes, int seconds) {

    /// Median, least and most of a ratio over the rounds.
    private record Ratio(double median, double least, double most) {

        static Ratio of(List<Run> ours, List<Run> theirs, ToDoubleFunction<Run> figure) {
            List<Double> ratios = new ArrayList<>();
            for (int i = 0; i < ours.size(); i++) {
                ratios.add(figure.applyAsDouble(ours.get(i)) / figure.applyAsDouble(theirs.get(i)));
            }
            ratios.sort(null);
            return new Ratio(ratios.get(ratios.size() / 2), ratios.getFirst(), ratios.getLast());
        }

        String text() {
            return String.format(Locale.ROOT, "**%.2f** (%.2f to %.2f)", median, least, most);
        }

        String json() {
            return String.format(Locale.ROOT, "{\"median\":%.3f,\"least\":%.3f,\"most\":%.3f}", median, least, most);
        }
    }

    String text() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "hot get of %d bytes, %d connections, one event loop, %d rounds of %d s, ratios to %s%n%n",
                valueBytes,
                connections,
                runs.get(baseline).size(),
                seconds,
                baseline));
        text.append("| server | requests/s | CPU us/request | throughput, ratio | CPU per request, ratio |\n");
        text.append("|---|---|---|---|---|\n");
        runs.forEach((name, mine) -> text.append(String.format(
                Locale.ROOT,
                "| %s | %,.0f | %.2f | %s | %s |%n",
                name,
                median(mine, Run::perSecond),
                median(mine, Run::cpuMicros),
                throughput(mine).text(),
                cpu(mine).text())));
        return text.toString();
    }

    String json() {
        StringJoiner servers = new StringJoiner(",", "[", "]");
        runs.forEach((name, mine) -> servers.add(String.format(
                Locale.ROOT,
                "{\"name\":\"%s\",\"requestsPerSecond\":%.0f,\"cpuMicros\":%.3f,\"throughput\":%s,\"cpu\":%s}",
                name,
                median(mine, Run::perSecond),
                median(mine, Run::cpuMicros),
                throughput(mine).json(),
                cpu(mine).json())));
        return String.format(
                Locale.ROOT,
                "{\"baseline\":\"%s\",\"connections\":%d,\"valueBytes\":%d,\"rounds\":%d,\"seconds\":%d,"
                        + "\"servers\":%s}%n",
                baseline,
                connections,
                valueBytes,
                runs.get(baseline).size(),
                seconds,
                servers);
    }

    private Ratio throughput(List<Run> mine) {
        return Ratio.of(mine, runs.get(baseline), Run::perSecond);
    }

    private Ratio cpu(List<Run> mine) {
        return Ratio.of(mine, runs.get(baseline), Run::cpuMicros);
    }

    private static double median(List<Run> runs, ToDoubleFunction<Run> figure) {
        return runs.stream().mapToDouble(figure).sorted().toArray()[runs.size() / 2];
    }
}
