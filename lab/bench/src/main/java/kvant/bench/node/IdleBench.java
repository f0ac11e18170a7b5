package kvant.bench.node;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Origin;
import kvant.bench.process.Node;
import kvant.bench.process.NodeFlags;
import kvant.bench.process.Workbench;
import kvant.load.http.Target;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `kvant bench idle`: memory of connections that had one answer each and wait.
@Command(name = "idle", mixinStandardHelpOptions = true, description = "Memory of a node for idle connections.")
public final class IdleBench implements Callable<Integer> {

    private static final byte[] REQUEST =
            "GET /v0/entity?id=none HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String EXPECTED = "HTTP/1.1 404";
    private static final int ANSWER_BYTES = 4096;
    private static final int MOST_WARM_UP = 2000;
    private static final long PAUSE_MILLIS = 1000;
    private static final double KIB = 1024;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private NodeFlags flags = new NodeFlags();

    @Option(names = "--count", description = "Idle connections (default: ${DEFAULT-VALUE}).")
    private int count = 10_000;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Origin.of(spec, "").print(System.out);
        System.out.println("Resident memory of the node, before and after so many connections that each had one answer."
                + " Goal: at most 10 KiB each.\n");
        MarkdownTable table = new MarkdownTable(
                System.out, "executor", "idle connections", "resident KiB before", "after", "KiB per connection");
        try (Workbench bench = Workbench.open()) {
            for (String executor : flags.executors()) {
                try (Node node = Node.start(bench, executor, flags.start(executor))) {
                    measure(node, table);
                }
            }
        }
        return 0;
    }

    private void measure(Node node, MarkdownTable table) throws IOException, InterruptedException {
        for (int i = 0; i < Math.min(MOST_WARM_UP, count); i++) { // code and pools that any number of them shares
            answered(node.target()).close();
        }
        Thread.sleep(PAUSE_MILLIS);
        double before = node.usage().rssBytes() / KIB;
        List<Socket> clients = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                clients.add(answered(node.target()));
            }
            Thread.sleep(2 * PAUSE_MILLIS);
            double after = node.usage().rssBytes() / KIB;
            table.row(
                    node.name(),
                    count,
                    String.format(Locale.ROOT, "%.0f", before),
                    String.format(Locale.ROOT, "%.0f", after),
                    String.format(Locale.ROOT, "%.1f", (after - before) / count));
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    private static Socket answered(Target target) throws IOException {
        Socket client = new Socket();
        client.connect(target.address());
        client.getOutputStream().write(REQUEST);
        InputStream in = client.getInputStream();
        byte[] answer = new byte[ANSWER_BYTES];
        int length = in.readNBytes(answer, 0, EXPECTED.length());
        if (!new String(answer, 0, length, StandardCharsets.US_ASCII).equals(EXPECTED)) {
            throw new IOException("the node did not answer as expected");
        }
        int _ = in.read(answer);
        return client;
    }
}
