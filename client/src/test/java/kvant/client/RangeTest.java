package kvant.client;

import static kvant.client.TestNode.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import kvant.client.FaultyProxy.Fault;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Ranges: whole, broken in the middle, slow, and read slowly.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RangeTest {

    private static final int RECORDS = 300;
    private static final RangeQuery ALL = RangeQuery.prefix(Key.of("r:"));
    private static final List<String> KEYS =
            IntStream.range(0, RECORDS).mapToObj(i -> "r:%03d".formatted(i)).toList();

    @TempDir
    static Path folder;

    private static TestNode node;

    private FaultyProxy proxy;

    @BeforeAll
    static void start() {
        node = TestNode.start(folder);
        Batch batch = new Batch();
        for (String key : KEYS) {
            batch.put(Key.of(key), bytes("value of " + key));
        }
        node.client().write(batch);
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @BeforeEach
    void open() {
        proxy = new FaultyProxy(node.port());
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
    }

    private KvantClient client(Consumer<ClientOptions.Draft> change) {
        return KvantClient.of(ClientOptions.of(proxy.url())
                .with(o -> o.firstBackoff = Duration.ofMillis(1))
                .with(change));
    }

    private KvantClient client() {
        return client(o -> {});
    }

    private static List<String> keys(RangeCursor range) {
        List<String> keys = new ArrayList<>();
        try (range) {
            while (range.next()) {
                assertThat(range.value())
                        .isEqualTo(bytes("value of " + range.key().text()));
                keys.add(range.key().text());
            }
        }
        return keys;
    }

    @Test
    void aRangeHasItsRecordsInOrder() {
        KvantClient direct = node.client();

        assertThat(keys(direct.range(ALL))).isEqualTo(KEYS);
        assertThat(keys(direct.range(RangeQuery.between(Key.of("r:010"), Key.of("r:020")))))
                .isEqualTo(KEYS.subList(10, 20));
        assertThat(keys(direct.range(RangeQuery.from(Key.of("r:290")).limit(3))))
                .isEqualTo(KEYS.subList(290, 293));
        assertThat(keys(direct.range(RangeQuery.prefix(Key.of("nobody:"))))).isEmpty();
    }

    @Test
    void aPrefixEndsWhereItsKeysDo() {
        assertThat(Key.of("ab").afterPrefix()).contains(Key.of("ac"));
        assertThat(Key.of(new byte[] {1, -1, -1}).afterPrefix()).contains(Key.of(new byte[] {2}));
        assertThat(Key.of(new byte[] {-1, -1}).afterPrefix()).isEmpty();
        assertThat(Key.of(new byte[] {1}).compareTo(Key.of(new byte[] {-1}))).isNegative();
    }

    @Test
    void aRangeThatBreaksGoesOnFromTheLastKey() {
        proxy.next(3, new Fault.Cut(6_000)); // of about 17,000
        RangeCursor range = client().range(ALL);

        assertThat(keys(range)).isEqualTo(KEYS);
        assertThat(range.parts()).isGreaterThanOrEqualTo(3);
        assertThat(proxy.requests()).hasSize(range.parts());
        assertThat(proxy.requests().getLast()).doesNotContain("start=r%3A ");
    }

    @Test
    void aLimitCountsOverAllParts() {
        proxy.next(2, new Fault.Cut(3_000));
        RangeCursor range = client().range(ALL.limit(200));

        assertThat(keys(range)).isEqualTo(KEYS.subList(0, 200));
        assertThat(range.parts()).isEqualTo(3);
    }

    @Test
    void aLimitHoldsAlsoWhereTheLastKeyIsDeletedMeanwhile() {
        KvantClient direct = node.client();
        List<String> seen = new ArrayList<>();
        direct.write(new Batch()
                .put(Key.of("d:1"), bytes("1"))
                .put(Key.of("d:2"), bytes("2"))
                .put(Key.of("d:3"), bytes("3"))
                .put(Key.of("d:4"), bytes("4")));
        proxy.next(1, FaultyProxy.answer(200, "", line("d:1") + line("d:2"))); // without its last line
        try (RangeCursor range = client().range(RangeQuery.prefix(Key.of("d:")).limit(3))) {
            for (int i = 0; i < 2; i++) {
                assertThat(range.next()).isTrue();
                seen.add(range.key().text());
            }
            direct.delete(Key.of("d:2"));
            while (range.next()) {
                seen.add(range.key().text());
            }
        }
        assertThat(seen).containsExactly("d:1", "d:2", "d:3");
    }

    private static String line(String key) {
        return "{\"key\":\"" + Base64.getEncoder().encodeToString(bytes(key)) + "\",\"value\":\"\"}\n";
    }

    @Test
    void aRangeThatTheNodeBreaksOffGoesOn() {
        proxy.next(1, FaultyProxy.answer(200, "", "{\"complete\":false,\"reason\":\"it took too long\"}\n"));

        assertThat(keys(client().range(ALL))).isEqualTo(KEYS);
        assertThat(proxy.requests()).hasSize(2);
    }

    @Test
    void aRangeWhoseRecordsDoNotAddUpGoesOn() {
        proxy.next(1, FaultyProxy.answer(200, "", "{\"complete\":true,\"records\":7}\n"));

        assertThat(keys(client().range(ALL))).isEqualTo(KEYS);
        assertThat(proxy.requests()).hasSize(2);
    }

    @Test
    void aLineThatNoNodeWritesIsABreakAndItsErrorOneLine() {
        String longKey = Base64.getEncoder().encodeToString(new byte[Key.MAX_BYTES + 1]);
        List<String> lines = List.of(
                "{\"key\":\"\",\"value\":\"\"}",
                "{\"key\":\"" + longKey + "\",\"value\":\"\"}",
                "{\"key\":\"YQ==\"}",
                "{\"key\":7,\"value\":\"\"}",
                "{\"complete\":false,\"reason\":\"a\\nb\\u001b[2J\"}",
                "7",
                "[".repeat(60_000));
        for (String line : lines) {
            proxy.next(1, FaultyProxy.answer(200, "", line + "\n"));

            try (RangeCursor range = client(o -> o.tries = 1).range(ALL)) {
                assertThatThrownBy(range::next)
                        .isInstanceOf(KvantException.Unavailable.class)
                        .message()
                        .doesNotContainPattern("\\p{Cntrl}");
            }
        }
    }

    @Test
    void aRangeThatDoesNotGetAheadFails() {
        proxy.next(99, FaultyProxy.answer(200, "", "{\"complete\":false,\"reason\":\"it took too long\"}\n"));

        try (RangeCursor range = client(o -> o.tries = 3).range(ALL)) {
            assertThatThrownBy(range::next)
                    .isInstanceOf(KvantException.Unavailable.class)
                    .hasMessageContaining("it took too long");
        }
        assertThat(proxy.requests()).hasSize(3);
    }

    @Test
    void aRangeThatStopsComingIsWaitedForUntilTheDeadlineAndCanGoOn() {
        proxy.next(1, new Fault.Stall(6_000));
        List<String> keys = new ArrayList<>();
        try (RangeCursor range = client().within(Duration.ofMillis(300)).range(ALL)) {
            assertThatThrownBy(() -> {
                        while (range.next()) {
                            keys.add(range.key().text());
                        }
                    })
                    .isInstanceOf(KvantException.DeadlinePassed.class);
            assertThat(keys).isNotEmpty().hasSizeLessThan(RECORDS);
            await().until(() -> proxy.leftByClient() == 1);

            while (range.next()) {
                keys.add(range.key().text());
            }
        }
        assertThat(keys).isEqualTo(KEYS);
    }

    @Test
    void aBusyNodeIsAskedAgain() {
        proxy.next(2, FaultyProxy.busy("0"));

        assertThat(keys(client().range(ALL))).isEqualTo(KEYS);
    }

    @Test
    void theLongestKeyDoesNotEndARange() {
        byte[] longest = new byte[Key.MAX_BYTES];
        Arrays.fill(longest, (byte) 'z');
        Key key = Key.of(longest);
        node.client().put(key, bytes("v"));
        proxy.next(1, new Fault.Cut(90_000)); // behind the record, within the last line or shortly before it
        List<Key> seen = new ArrayList<>();
        try (RangeCursor range = client().range(RangeQuery.from(key))) {
            while (range.next()) {
                seen.add(range.key());
            }
        }
        assertThat(seen).containsExactly(key);
        node.client().delete(key);
    }

    @Test
    void aRangeThatIsReadSlowlyKeepsTheNodeWaiting() {
        KvantClient direct = node.client();
        byte[] large = new byte[1 << 20];
        int count = 48;
        for (int i = 0; i < count; i++) {
            direct.put(Key.of("large:%02d".formatted(i)), large);
        }
        RangeQuery query = RangeQuery.prefix(Key.of("large:"));
        try (RangeCursor range = client().range(query)) {
            assertThat(range.next()).isTrue();
            long[] before = {-1};
            await().pollInterval(Duration.ofMillis(200)).until(() -> {
                boolean stands = proxy.passed() == before[0];
                before[0] = proxy.passed();
                return stands;
            });
            assertThat(proxy.passed()).isLessThan(32L << 20); // of 64 MiB in base64: what sockets hold
            int seen = 1;
            while (range.next()) {
                assertThat(range.value()).hasSize(large.length);
                seen++;
            }
            assertThat(seen).isEqualTo(count);
        }
        for (int i = 0; i < count; i++) {
            direct.delete(Key.of("large:%02d".formatted(i)));
        }
    }

    @Test
    void aRecordThatIsTooLongIsGivenUp() {
        node.client().put(Key.of("long:1"), new byte[2_000_000]);
        try (RangeCursor range = client(o -> o.maxAnswerBytes = 1_000_000).range(RangeQuery.prefix(Key.of("long:")))) {
            assertThatThrownBy(range::next)
                    .isInstanceOf(KvantException.Failed.class)
                    .hasMessageContaining("maxAnswerBytes");
        }
        node.client().delete(Key.of("long:1"));
    }

    @Test
    void aRangeThatIsClosedLetsTheNodeGo() {
        proxy.next(1, new Fault.Stall(6_000));
        try (RangeCursor range = client().range(ALL)) {
            assertThat(range.next()).isTrue();
        }
        await().until(() -> proxy.leftByClient() == 1);
    }
}
