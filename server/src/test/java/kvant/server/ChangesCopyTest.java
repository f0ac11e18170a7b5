package kvant.server;

import static kvant.server.ChangesHarness.base64;
import static kvant.server.NodeHarness.batch;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvant.engine.Durability;
import kvant.lsm.LsmOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A copy of a store that is begun while others write, as docs/changes.md tells to: the newest version, then the
/// range, then what was written behind that version.
class ChangesCopyTest {

    private static final int PAIRS = 40;
    private static final int WRITERS = 2;
    private static final int LARGE_VALUE_BYTES = 400_000;

    @TempDir
    Path directory = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"always", "interval=20"})
    void aCopyThatIsBegunWhileOthersWriteBecomesTheStore(String durability) throws Exception {
        LsmOptions store = LsmOptions.defaults().with(o -> {
            o.headroomBytes = 0;
            o.durability = Durability.parse(durability);
        });
        try (ChangesHarness harness = new ChangesHarness(directory.resolve("data"), store, options -> options)) {
            Copy copy = new Copy(harness);
            try (Writers writers = new Writers(harness)) {
                writers.goOn();
                assertThat(copy.begin(writers)).isTrue();
                copy.assertEachBatchIsWhole();
                writers.goOn();
            }
            copy.followTo(copy.visible());
            assertThat(copy.entries).isNotEmpty().isEqualTo(copy.range());
        }
    }

    /// With a log that is kept for as much as is written while a range is read.
    @Test
    void whoWasLeftBehindBeginsAnewWhileOthersWrite() throws Exception {
        LsmOptions store = LsmOptions.defaults().with(o -> {
            o.headroomBytes = 0;
            o.memtableBytes = 64 << 10;
            o.retainedLogBytes = 2 << 20;
        });
        try (ChangesHarness harness = new ChangesHarness(directory.resolve("data"), store, options -> options)) {
            Copy copy = new Copy(harness);
            try (Writers writers = new Writers(harness)) {
                assertThat(copy.begin(writers)).isTrue();
                await().until(() -> {
                    harness.exchange(put("z", "v".repeat(LARGE_VALUE_BYTES)));
                    return harness.read("from=" + copy.version).status() == 410;
                });
                await().until(() -> copy.begin(writers));
                copy.assertEachBatchIsWhole();
            }
            copy.followTo(copy.visible());
            assertThat(copy.entries).isNotEmpty().isEqualTo(copy.range());
        }
    }

    @Test
    void whatReadsSeeAndIsNotSyncedYetIsSaidAndNotTold() throws Exception {
        LsmOptions store = LsmOptions.defaults().with(o -> {
            o.headroomBytes = 0;
            o.durability = new Durability.Interval(Durability.LONGEST);
        });
        try (ChangesHarness harness = new ChangesHarness(directory.resolve("data"), store, options -> options)) {
            harness.exchange(put("a", "one"));
            assertThat(harness.read("from=now").text()).isEqualTo("{\"complete\":true,\"upto\":0,\"visible\":1}\n");
            assertThat(harness.read("from=0").text()).isEqualTo("{\"complete\":true,\"upto\":0,\"visible\":1}\n");
            assertThat(ChangesHarness.line(harness.follow("from=now&wait=60")))
                    .isEqualTo("{\"upto\":0,\"visible\":1}\n");
        }
    }

    /// A copy as a client makes one, over HTTP. Keys and values stay in base64. Belongs to one thread.
    private static final class Copy {

        private static final String RANGE =
                "GET /v0/entities?start=a HTTP/1.1\r\nHost: h\r\nAccept: application/x-ndjson\r\n\r\n";
        private static final Pattern NUMBER = Pattern.compile("\"(version|upto|visible)\":(\\d+)");
        private static final Pattern TEXT = Pattern.compile("\"(key|value)\":\"([^\"]*)\"");

        private final ChangesHarness harness;
        private final Map<String, String> entries = new TreeMap<>();
        private long version;

        Copy(ChangesHarness harness) {
            this.harness = harness;
        }

        /// Writes come between all of its steps.
        ///
        /// @return false where the log is no longer held, and the copy has to start again
        boolean begin(Writers writers) throws IOException {
            entries.clear();
            version = numbers(newest()).get("upto");
            writers.goOn();
            entries.putAll(range());
            writers.goOn();
            long whole = visible();
            assertThat(whole).as("others have written").isGreaterThan(version);
            return followTo(whole);
        }

        Map<String, String> range() throws IOException {
            List<String> lines = harness.exchange(RANGE).text().lines().toList();
            assertThat(lines.getLast()).startsWith("{\"complete\":true");
            Map<String, String> records = new TreeMap<>();
            lines.subList(0, lines.size() - 1)
                    .forEach(line ->
                            records.put(texts(line).get("key"), texts(line).get("value")));
            return records;
        }

        /// The newest version that a range which was read before can have shown.
        long visible() throws IOException {
            Map<String, Long> said = numbers(newest());
            return said.getOrDefault("visible", said.get("upto"));
        }

        boolean followTo(long whole) throws IOException {
            boolean isHeld = true;
            while (isHeld && version < whole) {
                isHeld = follow();
            }
            return isHeld;
        }

        /// One answer, which ends with the newest change.
        private boolean follow() throws IOException {
            RawClient.Answer answer = harness.read("from=" + version);
            if (answer.status() == 410) {
                return false;
            }
            List<String> lines = answer.text().lines().toList();
            lines.subList(0, lines.size() - 1).forEach(this::apply);
            return lines.getLast().startsWith("{\"complete\":true,\"upto\":" + version);
        }

        private void apply(String line) {
            long next = numbers(line).get("version");
            assertThat(next).isEqualTo(version + 1);
            version = next;
            Map<String, String> texts = texts(line);
            if (line.contains("\"deleted\":true")) {
                entries.remove(texts.get("key"));
            } else {
                entries.put(texts.get("key"), texts.get("value"));
            }
        }

        /// The two keys of a pair are always written together.
        void assertEachBatchIsWhole() {
            for (int i = 0; i < PAIRS; i++) {
                assertThat(entries.get(base64("a" + name(i))))
                        .as("pair %d at version %d", i, version)
                        .isEqualTo(entries.get(base64("b" + name(i))));
            }
        }

        private String newest() throws IOException {
            return harness.read("from=now").text();
        }

        private static Map<String, Long> numbers(String line) {
            Map<String, Long> found = new TreeMap<>();
            for (Matcher number = NUMBER.matcher(line); number.find(); ) {
                found.put(number.group(1), Long.valueOf(number.group(2)));
            }
            return found;
        }

        private static Map<String, String> texts(String line) {
            Map<String, String> found = new TreeMap<>();
            for (Matcher text = TEXT.matcher(line); text.find(); ) {
                found.put(text.group(1), text.group(2));
            }
            return found;
        }
    }

    private static String name(int pair) {
        return String.format("%02d", pair);
    }

    /// Clients that put and delete pairs of keys, each in one batch, until this is closed.
    private static final class Writers implements AutoCloseable {

        private static final int AT_LEAST = 50;

        private final ChangesHarness harness;
        private final AtomicLong writes = new AtomicLong();
        private final Queue<Object> failures = new ConcurrentLinkedQueue<>();
        private final List<Thread> threads;
        private volatile boolean ended;

        Writers(ChangesHarness harness) {
            this.harness = harness;
            threads = Stream.iterate(0, n -> n + 1)
                    .limit(WRITERS)
                    .map(n -> Thread.ofPlatform().start(() -> write(n)))
                    .toList();
        }

        /// Returns when more has been written.
        void goOn() {
            long seen = writes.get();
            await().until(() -> writes.get() >= seen + AT_LEAST || !failures.isEmpty());
        }

        private void write(int seed) {
            SplittableRandom random = new SplittableRandom(seed);
            try (RawClient client = new RawClient(harness.node.port())) {
                for (long n = 0; !ended; n++) {
                    String pair = name(random.nextInt(PAIRS));
                    String value = seed + "-" + n;
                    String put = "put 3 " + value.length() + "\n";
                    String body = random.nextInt(4) == 0
                            ? "delete 3\na" + pair + "\ndelete 3\nb" + pair + "\n"
                            : put + "a" + pair + value + "\n" + put + "b" + pair + value + "\n";
                    RawClient.Answer answer = client.exchange(batch(body));
                    if (answer.status() >= 300) {
                        failures.add(answer.text());
                        return;
                    }
                    writes.incrementAndGet();
                }
            } catch (IOException e) {
                failures.add(e);
            }
        }

        @Override
        public void close() {
            ended = true;
            await().until(() -> threads.stream().noneMatch(Thread::isAlive));
            assertThat(failures).isEmpty();
        }
    }
}
