package kvant.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.load.dialect.Dialect;
import kvant.load.http.Target;
import kvant.load.keys.ValueSizes;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.plan.Warmup;
import kvant.load.record.RequestCounts.Count;
import kvant.load.truth.TestServer;
import kvant.load.workload.Mix;
import kvant.load.workload.Workload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whole runs in each dialect, against small servers that hold what they are given: keys are filled in,
/// read back byte by byte, asked for that do not exist, changed and deleted.
class DialectRunTest {

    private static final int KEYS = 200;
    private static final Pattern MEMBER = Pattern.compile("\"(key|value)\":\"([^\"]*)\"");

    /// A server of a dialect, and where it is.
    private record Server(String url, Closeable closing) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            closing.close();
        }
    }

    private static Server server(Dialect dialect, Map<String, byte[]> store) throws IOException {
        if (dialect == Dialect.RESP) {
            RedisLike redis = new RedisLike(store);
            return new Server("redis://127.0.0.1:" + redis.listener.getLocalPort(), redis::close);
        }
        TestServer http = TestServer.start(exchange -> {
            switch (dialect) {
                case KVANT, STATIC -> entity(exchange, store);
                case WEBDIS -> webdis(exchange, store);
                case ETCD -> etcd(exchange, store);
                case RESP -> throw new AssertionError();
            }
        });
        return new Server(http.url(), http::close);
    }

    private static void entity(TestServer.Exchange exchange, Map<String, byte[]> store) throws IOException {
        String[] words = exchange.requestLine().split(" ");
        String key = words[1].replaceAll(".*[/=]", "");
        switch (words[0]) {
            case "PUT" -> {
                store.put(key, exchange.body());
                exchange.answer(201, new byte[0]);
            }
            case "DELETE" -> {
                store.remove(key);
                exchange.answer(202, new byte[0]);
            }
            default -> found(exchange, store.get(key));
        }
    }

    private static void found(TestServer.Exchange exchange, byte[] value) throws IOException {
        exchange.answer(value == null ? 404 : 200, value == null ? new byte[0] : value);
    }

    private static void webdis(TestServer.Exchange exchange, Map<String, byte[]> store) throws IOException {
        String[] words = exchange.requestLine().split("[ /.]+");
        switch (words[1]) {
            case "SET" -> {
                store.put(words[2], exchange.body());
                exchange.answer(200, "+OK".getBytes(StandardCharsets.US_ASCII));
            }
            case "DEL" -> exchange.answer(200, new byte[] {(byte) (store.remove(words[2]) == null ? '0' : '1')});
            default -> found(exchange, store.get(words[2]));
        }
    }

    private static void etcd(TestServer.Exchange exchange, Map<String, byte[]> store) throws IOException {
        String key = "";
        byte[] value = new byte[0];
        Matcher matcher = MEMBER.matcher(new String(exchange.body(), StandardCharsets.US_ASCII));
        while (matcher.find()) {
            byte[] decoded = Base64.getDecoder().decode(matcher.group(2));
            key = matcher.group(1).equals("key") ? new String(decoded, StandardCharsets.US_ASCII) : key;
            value = matcher.group(1).equals("value") ? decoded : value;
        }
        String answer = "{\"header\":{\"revision\":\"1\"}}";
        switch (exchange.requestLine().split("[ /]+")[3]) {
            case "put" -> store.put(key, value);
            case "deleterange" -> store.remove(key);
            default -> {
                byte[] found = store.get(key);
                if (found != null) {
                    answer = "{\"header\":{},\"kvs\":[{\"key\":\"a\",\"value\":\""
                            + Base64.getEncoder().encodeToString(found) + "\"}],\"count\":\"1\"}";
                }
            }
        }
        exchange.answer(200, answer.getBytes(StandardCharsets.US_ASCII));
    }

    /// The part of Redis that this test needs.
    private static final class RedisLike implements AutoCloseable {

        private final ServerSocket listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        private final Map<String, byte[]> store;

        RedisLike(Map<String, byte[]> store) throws IOException {
            this.store = store;
            Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        Socket socket = listener.accept();
                        Thread.ofVirtual().start(() -> serve(socket));
                    }
                } catch (IOException _) {
                    // closed: the end of the test
                }
            });
        }

        private void serve(Socket socket) {
            try (socket) {
                InputStream in = new BufferedInputStream(socket.getInputStream());
                OutputStream out = socket.getOutputStream();
                for (String line = line(in); !line.isEmpty(); line = line(in)) {
                    byte[][] words = new byte[Integer.parseInt(line.substring(1))][];
                    for (int i = 0; i < words.length; i++) {
                        words[i] = in.readNBytes(Integer.parseInt(line(in).substring(1)));
                        String end = line(in);
                        if (!end.isEmpty()) {
                            throw new AssertionError("a word that is longer than its length: " + end);
                        }
                    }
                    out.write(answer(words));
                }
            } catch (SocketException _) {
                // the client has closed
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        private static String line(InputStream in) throws IOException {
            StringBuilder line = new StringBuilder();
            for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
                line.append((char) next);
            }
            return line.toString().strip();
        }

        private byte[] answer(byte[][] words) {
            String key = new String(words[1], StandardCharsets.US_ASCII);
            String command = new String(words[0], StandardCharsets.US_ASCII);
            if (command.equals("SET")) {
                store.put(key, words[2]);
                return "+OK\r\n".getBytes(StandardCharsets.US_ASCII);
            }
            byte[] value = command.equals("DEL") ? store.remove(key) : store.get(key);
            if (command.equals("DEL")) {
                return (value == null ? ":0\r\n" : ":1\r\n").getBytes(StandardCharsets.US_ASCII);
            }
            if (value == null) {
                return "$-1\r\n".getBytes(StandardCharsets.US_ASCII);
            }
            byte[] start = ("$" + value.length + "\r\n").getBytes(StandardCharsets.US_ASCII);
            byte[] whole = Arrays.copyOf(start, start.length + value.length + 2);
            System.arraycopy(value, 0, whole, start.length, value.length);
            whole[whole.length - 2] = '\r';
            whole[whole.length - 1] = '\n';
            return whole;
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }

    private static LoadPlan plan(Server server, Workload workload) {
        Clients clients = Clients.defaults().withConnections(4).with(c -> c.depth = 2);
        return LoadPlan.of(Target.parse(server.url()), workload, clients, pace(1000))
                .with(p -> p.verify = true);
    }

    /// All is answered, however busy the machine is.
    private static Pace pace(double rate) {
        return Pace.open(rate, Duration.ofMillis(400)).with(p -> {
            p.warmup = Warmup.fixed(Duration.ZERO);
            p.drain = Duration.ofSeconds(60);
        });
    }

    private static RunResult run(LoadPlan plan) {
        RunResult result = LoadRun.run(plan, new StopSwitch(), Progress.SILENT);
        assertThat(result.partial()).isEmpty();
        assertThat(result.strays()).isZero();
        assertThat(result.counts().of(Count.ANSWERED)).isGreaterThan(100);
        return result;
    }

    private static Workload workload(String name, Dialect dialect) {
        return Workload.named(name).with(w -> {
            w.speak(dialect);
            w.keys = KEYS;
            w.values = ValueSizes.parse("1-300");
        });
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void whatWasFilledInIsReadBackByteByByte(Dialect dialect) throws IOException {
        Map<String, byte[]> store = new ConcurrentHashMap<>();
        try (Server server = server(dialect, store)) {
            LoadPlan plan = plan(server, workload("mixed", dialect).with(w -> w.hits = 0.8))
                    .with(p -> p.clients = p.clients.with(c -> c.threads = 2)); // each encodes its own requests
            double _ = Prefill.run(plan, KEYS, new StopSwitch(), Progress.SILENT);
            assertThat(store).hasSize(KEYS);

            RunResult result = run(plan);

            assertThat(result.counts().errors()).isZero();
            assertThat(result.counts().statusCount(404))
                    .as("keys that do not exist")
                    .isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aWrongValueIsFound(Dialect dialect) throws IOException {
        Map<String, byte[]> store = new ConcurrentHashMap<>();
        try (Server server = server(dialect, store)) {
            LoadPlan plan = plan(server, workload("get", dialect));
            double _ = Prefill.run(plan, KEYS, new StopSwitch(), Progress.SILENT);
            store.replaceAll((_, value) -> {
                byte[] other = value.clone();
                other[value.length - 1]++;
                return other;
            });

            RunResult result = run(plan);

            assertThat(result.counts().of(Count.WRONG_BODIES))
                    .isEqualTo(result.counts().of(Count.ANSWERED));
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void deletesDelete(Dialect dialect) throws IOException {
        Map<String, byte[]> store = new ConcurrentHashMap<>();
        try (Server server = server(dialect, store)) {
            LoadPlan plan = plan(server, workload("delete", dialect));
            double _ = Prefill.run(plan, KEYS, new StopSwitch(), Progress.SILENT);

            RunResult result = run(plan);

            assertThat(result.counts().errors()).isZero();
            assertThat(store).isEmpty();
        }
    }

    /// A workload that only reads is filled with the values of its size first, however long they are.
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void longValuesAreFilledInForReads(Dialect dialect) throws IOException {
        Map<String, byte[]> store = new ConcurrentHashMap<>();
        try (Server server = server(dialect, store)) {
            Workload workload = workload("get", dialect).with(w -> {
                w.keys = 8;
                w.values = ValueSizes.fixed(100 << 10);
            });
            LoadPlan plan = plan(server, workload).with(p -> p.pace = pace(400));
            double _ = Prefill.run(plan, 8, new StopSwitch(), Progress.SILENT);

            assertThat(run(plan).counts().errors()).isZero();
            assertThat(store.values()).allSatisfy(value -> assertThat(value).hasSize(100 << 10));
        }
    }

    @Test
    void readModifyWritesGoOverRedisToo() throws IOException {
        Map<String, byte[]> store = new ConcurrentHashMap<>();
        try (Server server = server(Dialect.RESP, store)) {
            LoadPlan plan = plan(server, workload("f", Dialect.RESP).with(w -> w.mix = Mix.of(mix -> mix.rmw = 1)));
            double _ = Prefill.run(plan, KEYS, new StopSwitch(), Progress.SILENT);

            RunResult result = run(plan);

            assertThat(result.counts().errors()).isZero();
            assertThat(result.counts().of(Count.FOLLOW_UPS)).isPositive();
        }
    }
}
