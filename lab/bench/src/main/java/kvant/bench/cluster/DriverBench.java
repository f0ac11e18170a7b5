package kvant.bench.cluster;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `kvant bench driver`: a client of the cluster without Kvant, which stays warm between runs and reads commands, one
/// a line, from `kvant bench gateway`.
///
///     get|put SLOTS RATE WARM_UP_SECONDS SECONDS     a run; RATE 0 is a closed loop. Answers with a line of JSON
///     cql STATEMENT                                  runs it. Answers with {}
@Command(
        name = "driver",
        mixinStandardHelpOptions = true,
        description = "The client of 'gateway': loads a cluster through its driver, as told by lines on stdin.")
public final class DriverBench implements Callable<Integer> {

    private static final double NANOS_PER_SECOND = 1e9;

    /// Settings of the driver that the engine has too; everything else is as the driver comes.
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @Option(names = "--contact-points", split = ",", description = "HOST:PORT,... of the cluster.")
    private List<String> contactPoints = List.of("127.0.0.1:9042");

    @Option(names = "--keyspace", description = "The store, made by a node of Kvant (default: kvant).")
    private String keyspace = "kvant";

    @Option(names = "--keys", description = "Keys that exist, numbered from 0.")
    private long keys = 1;

    @Option(names = "--key-start", description = "Number of the first new key.")
    private long keyStart = 50_000_000;

    @Option(names = "--value-bytes", description = "Bytes of a value that is put (default: 100).")
    private int valueBytes = 100;

    @Override
    public Integer call() throws IOException {
        TimerSlack.least();
        CqlSessionBuilder builder = CqlSession.builder()
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, TIMEOUT)
                        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, TIMEOUT)
                        .withString(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, "DcInferringLoadBalancingPolicy")
                        .build());
        for (String point : contactPoints) {
            int colon = point.lastIndexOf(':');
            builder.addContactPoint(
                    new InetSocketAddress(point.substring(0, colon), Integer.parseInt(point.substring(colon + 1))));
        }
        try (CqlSession session = builder.build();
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            BareClient client = new BareClient(session, keyspace, keys, keyStart, valueBytes);
            System.out.println("{}");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(answer(session, client, line.strip()));
            }
        }
        return 0;
    }

    private static String answer(CqlSession session, BareClient client, String line) {
        if (line.startsWith("cql ")) {
            session.execute(line.substring(4));
            return "{}";
        }
        String[] words = line.split(" ");
        Slots run = new Slots(
                words[0].equals("get") ? client::get : client::put,
                Integer.parseInt(words[1]),
                Double.parseDouble(words[2]),
                (long) (Double.parseDouble(words[3]) * NANOS_PER_SECOND),
                (long) (Double.parseDouble(words[4]) * NANOS_PER_SECOND));
        run.run();
        return run.json();
    }
}
