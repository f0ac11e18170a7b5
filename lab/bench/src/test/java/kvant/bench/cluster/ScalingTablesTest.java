package kvant.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kvant.bench.figures.Origin;
import kvant.text.JsonFile;
import org.junit.jupiter.api.Test;

class ScalingTablesTest {

    private static GatewayRun run(double own, double cassandra) {
        return new GatewayRun(1, 1, 0, 0, 1, 1, 1, 1, 1, cassandra, own, 0);
    }

    /// With the figures that docs/scaling.md was made of, out of the file that the benchmark of the gateway writes.
    @Test
    void theTablesAreThoseOfTheDocument() {
        Map<GatewayReport.Kind, GatewayReport.Pair> pairs = new LinkedHashMap<>();
        for (int rate : new int[] {0, 500}) {
            pairs.put(new GatewayReport.Kind("get", rate), pair(run(52, 265)));
            pairs.put(new GatewayReport.Kind("put", rate), pair(run(52, 285)));
        }
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("command", "c");
        facts.put("commit", "abc");
        facts.put("date", "d");
        facts.put("machine", "m");
        String json = new GatewayReport(pairs)
                .json(new Origin(facts), 500, new GatewayReport.Disk(1000, 1000 * 3 * 126, 3, 112));

        List<String> lines = ScalingModel.of(JsonFile.object(json, "a test", "figures"), new ScalingAssumptions())
                .tables();

        assertThat(lines)
                .contains(
                        "Measured by `c`, commit abc, d, m; three Cassandra nodes with small heaps on the same cores.",
                        "| CPU of the gateway for a get | c_g | 52 us |",
                        "| files on all disks, TB | 3 | 30 | 300 | 1,000 |",
                        "| requests/s at the peak | 87,273 | 872,727 | 8,727,273 | 29,090,909 |",
                        "| gateways | 2 | 12 | 114 | 379 |",
                        "| cores in all | 64 | 576 | 5,712 | 19,032 |",
                        "| network of a server at the peak, Mbit/s | 244 | 244 | 244 | 244 |",
                        "| hours to repair or replace a server | 5.6 | 5.6 | 5.6 | 5.6 |",
                        "| cost of a million requests at the peak | 0.010 | 0.009 | 0.009 | 0.009 |",
                        "| of which disk | 0.002 | 0.002 | 0.002 | 0.002 |");
    }

    private static GatewayReport.Pair pair(GatewayRun run) {
        return new GatewayReport.Pair(List.of(run), List.of(run));
    }
}
