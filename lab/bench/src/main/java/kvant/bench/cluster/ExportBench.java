package kvant.bench.cluster;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Origin;
import kvant.bench.figures.Ratio;
import kvant.bench.process.Node;
import kvant.bench.process.Workbench;
import kvant.text.Json;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `kvant bench export`: a whole store through a gateway, sorted and without an order, in turn. One client takes the
/// range as fast as it can.
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description = "Read a whole store of a cluster, sorted and without an order. About four minutes.")
public final class ExportBench implements Callable<Integer> {

    private static final String SCHEMA = "kvant-export/1";
    private static final int KEY_BYTES = 12;
    private static final int BATCH = 400;
    private static final int WARM_UPS = 2;
    private static final int BUFFER = 1 << 20;

    /// How a range is asked for; the others are compared with the first.
    private enum Way {
        SORTED("sorted", ""),
        NO_ORDER("no order", "&order=none");

        private final String title;
        private final String query;

        Way(String title, String query) {
            this.title = title;
            this.query = query;
        }
    }

    /// One range; CPU times of the gateway and of all servers.
    private record Export(double seconds, double gatewayNanos, double cassandraNanos) {}

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--json", description = "All figures.")
    private @Nullable Path json;

    @Option(names = "--rounds", description = "Counted rounds (default: ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Option(names = "--keys", description = "In each store (default: ${DEFAULT-VALUE}).")
    private int keys = 40_000;

    @Option(names = "--value-bytes", description = "Of a value (default: ${DEFAULT-VALUE}).")
    private int valueBytes = 200;

    @Option(names = "--buckets", split = ",", description = "A store for each (default: ${DEFAULT-VALUE}).")
    private List<Integer> buckets = List.of(64, 1024);

    private final Map<Integer, Map<Way, List<Export>>> found = new LinkedHashMap<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Origin origin = Origin.of(spec, LocalCluster.VERSIONS);
        try (Workbench bench = Workbench.open()) {
            LocalCluster cluster = LocalCluster.start(bench);
            for (int count : buckets) {
                String number = Integer.toString(count);
                try (Node gateway = cluster.gateway(
                                bench,
                                "buckets-" + number,
                                "--cassandra.keyspace",
                                "export" + number,
                                "--cassandra.buckets",
                                number);
                        HttpClient client = HttpClient.newHttpClient()) {
                    System.err.printf("%d buckets: writing %d records%n", count, keys);
                    fill(client, gateway);
                    found.put(count, measure(client, gateway, cluster));
                }
            }
        }
        System.out.println("# Reading a whole store\n");
        origin.print(System.out);
        print();
        if (json != null) {
            Files.writeString(json, json(origin));
        }
        return 0;
    }

    /// By batches; values do not compress.
    private void fill(HttpClient client, Node gateway) throws IOException, InterruptedException {
        Random random = new Random(1);
        byte[] value = new byte[valueBytes];
        for (int first = 0; first < keys; first += BATCH) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            for (int key = first; key < Math.min(keys, first + BATCH); key++) {
                random.nextBytes(value);
                body.writeBytes(String.format(Locale.ROOT, "put %d %d\nk%011d", KEY_BYTES, valueBytes, key)
                        .getBytes(StandardCharsets.US_ASCII));
                body.writeBytes(value);
                body.write('\n');
            }
            HttpRequest post = HttpRequest.newBuilder(URI.create(gateway.url() + "/v0/batch"))
                    .header("Content-Type", "application/vnd.kvant.batch")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(body.toByteArray()))
                    .build();
            HttpResponse<String> answer = client.send(post, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 201) {
                throw new IOException("a batch was answered " + answer.statusCode() + ": " + answer.body());
            }
        }
    }

    private Map<Way, List<Export>> measure(HttpClient client, Node gateway, LocalCluster cluster)
            throws IOException, InterruptedException {
        Map<Way, List<Export>> runs = new LinkedHashMap<>();
        for (int round = -WARM_UPS; round < rounds; round++) {
            System.err.println(gateway.name() + ": " + (round < 0 ? "warm-up" : "round " + (round + 1)));
            List<Way> order = List.of(Way.values());
            for (Way way : round % 2 == 0 ? order : order.reversed()) {
                Export run = read(client, gateway, cluster, way);
                if (round >= 0) {
                    runs.computeIfAbsent(way, _ -> new ArrayList<>()).add(run);
                }
            }
        }
        return runs;
    }

    private Export read(HttpClient client, Node gateway, LocalCluster cluster, Way way)
            throws IOException, InterruptedException {
        long own = gateway.usage().cpuNanos();
        long servers = cluster.cpuNanos();
        long begin = System.nanoTime();
        HttpRequest get = HttpRequest.newBuilder(URI.create(gateway.url() + "/v0/entities?start=%00" + way.query))
                .build();
        long bytes = 0;
        try (InputStream in =
                client.send(get, HttpResponse.BodyHandlers.ofInputStream()).body()) {
            byte[] buffer = new byte[BUFFER];
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                bytes += length;
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        long expected = (long) keys * (KEY_BYTES + 1 + valueBytes);
        if (bytes != expected) {
            throw new IOException(way.title + ": " + bytes + " bytes instead of " + expected);
        }
        return new Export(seconds, gateway.usage().cpuNanos() - own, cluster.cpuNanos() - servers);
    }

    private void print() {
        System.out.printf(
                Locale.ROOT,
                "%,d records of %d bytes, read whole %d times each way, in turn. Client, gateway and all Cassandra"
                        + " nodes share %d cores. Medians; the ratio is that of the rounds, with the least and the"
                        + " most.%n%n",
                keys,
                KEY_BYTES + valueBytes,
                rounds,
                Runtime.getRuntime().availableProcessors());
        MarkdownTable table = new MarkdownTable(
                System.out,
                "buckets",
                "order",
                "records/s",
                "MB/s",
                "gateway, CPU us/record",
                "Cassandra, CPU us/record",
                "rate, to that of the sorted one");
        found.forEach((count, byWay) -> byWay.forEach((way, runs) -> {
            double seconds = Ratio.median(runs, Export::seconds);
            List<Export> sorted = byWay.getOrDefault(Way.SORTED, List.of());
            table.row(
                    count,
                    way.title,
                    String.format(Locale.ROOT, "%,.0f", keys / seconds),
                    String.format(Locale.ROOT, "%.1f", (double) keys * (KEY_BYTES + valueBytes) / seconds / 1e6),
                    String.format(Locale.ROOT, "%.1f", Ratio.median(runs, Export::gatewayNanos) / 1e3 / keys),
                    String.format(Locale.ROOT, "%.1f", Ratio.median(runs, Export::cassandraNanos) / 1e3 / keys),
                    way == Way.SORTED
                            ? ""
                            : Ratio.of(sorted, runs, Export::seconds).text());
        }));
    }

    private String json(Origin origin) {
        Json out = new Json().open().put("schema", SCHEMA);
        origin.write(out);
        out.open("runs");
        found.forEach((count, byWay) -> {
            out.open(Integer.toString(count));
            byWay.forEach((way, runs) -> {
                out.openList(way.title);
                runs.forEach(run -> out.open()
                        .put("seconds", run.seconds())
                        .put("gateway", run.gatewayNanos() / 1e9)
                        .put("cassandra", run.cassandraNanos() / 1e9)
                        .close());
                out.closeList();
            });
            out.close();
        });
        return out.close().close().toString();
    }
}
