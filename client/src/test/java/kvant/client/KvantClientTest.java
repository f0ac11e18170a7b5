package kvant.client;

import static kvant.client.TestNode.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The client's calls against a healthy node.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class KvantClientTest {

    @TempDir
    static Path folder;

    private static TestNode node;
    private static KvantClient client;

    @BeforeAll
    static void start() {
        node = TestNode.start(folder);
        client = node.client();
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void aValueComesBackWithTheVersionOfItsWrite() {
        Key key = Key.of("value");
        Version first = client.put(key, bytes("one"));
        Version second = client.put(key, bytes("two"));

        Value value = client.get(key).orElseThrow();

        assertThat(value.text()).isEqualTo("two");
        assertThat(value.version()).isEqualTo(second).isNotEqualTo(first);
        assertThat(client.describe(key)).contains(new Description(3, second));
    }

    @Test
    void aKeyWithoutAValueIsNoError() {
        Key key = Key.of("nothing");

        assertThat(client.get(key)).isEmpty();
        assertThat(client.describe(key)).isEmpty();
        client.delete(key);
    }

    @Test
    void anEmptyValueIsAValue() {
        Key key = Key.of("empty");
        client.put(key, new byte[0]);

        assertThat(client.get(key).orElseThrow().bytes()).isEmpty();
    }

    @Test
    void keysAreAnyBytes() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        for (Key key : List.of(Key.of(all), Key.of("a b+c/d?e&f=g%h"), Key.of(new byte[] {0}), Key.of("ключ"))) {
            client.put(key, key.bytes());

            assertThat(client.get(key).orElseThrow().bytes()).isEqualTo(key.bytes());
            try (RangeCursor range = client.range(RangeQuery.from(key).limit(1))) {
                assertThat(range.next()).isTrue();
                assertThat(range.key()).isEqualTo(key);
            }
        }
        assertThat(client.get(Key.of("a b c/d?e&f=g%h"))).isEmpty();
    }

    @Test
    void aWriteIsAppliedOnlyWhenItsConditionHolds() {
        Key key = Key.of("conditional");
        Version first = client.put(key, bytes("1"), PutOptions.defaults().when(Condition.absent()));

        assertThatThrownBy(
                        () -> client.put(key, bytes("2"), PutOptions.defaults().when(Condition.absent())))
                .isInstanceOfSatisfying(
                        KvantException.ConditionFailed.class,
                        e -> assertThat(e.problem().orElseThrow().title()).isEqualTo("Precondition failed"));
        Version second = client.put(key, bytes("3"), PutOptions.defaults().when(Condition.versionIs(first)));
        assertThatThrownBy(() -> client.delete(key, Condition.versionIs(first)))
                .isInstanceOf(KvantException.ConditionFailed.class);
        assertThat(client.get(key).orElseThrow().version()).isEqualTo(second);

        client.delete(key, Condition.present());
        assertThatThrownBy(() -> client.delete(key, Condition.present()))
                .isInstanceOf(KvantException.ConditionFailed.class);
    }

    @Test
    void aValueHasTheLifeTimeThatItWasGiven() {
        Instant before = Instant.now();
        client.put(Key.of("life:1"), bytes("v"), PutOptions.defaults().lives(Duration.ofHours(1)));
        client.write(new Batch()
                .put(Key.of("life:2"), bytes("v"), Duration.ofHours(2))
                .put(Key.of("life:3"), bytes("v")));

        try (RangeCursor range = client.range(RangeQuery.prefix(Key.of("life:")))) {
            assertThat(range.next()).isTrue();
            assertThat(range.expires().orElseThrow())
                    .isBetween(
                            before.plus(Duration.ofMinutes(59)), Instant.now().plus(Duration.ofMinutes(61)));
            assertThat(range.next()).isTrue();
            assertThat(range.expires().orElseThrow())
                    .isBetween(
                            before.plus(Duration.ofMinutes(119)), Instant.now().plus(Duration.ofMinutes(121)));
            assertThat(range.next()).isTrue();
            assertThat(range.expires()).isEmpty();
            assertThat(range.next()).isFalse();
        }
        PutOptions.defaults().lives(Duration.ofSeconds(9_000_000_000_000_000L));
        assertThatThrownBy(() -> PutOptions.defaults().lives(Duration.ofSeconds(9_000_000_000_000_001L)))
                .hasMessageContaining("1 to 9000000000000000");
        assertThatThrownBy(() -> PutOptions.defaults().lives(Duration.ofMillis(1500)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aBatchIsAppliedAsAWhole() {
        Key kept = Key.of("batch:kept");
        Key gone = Key.of("batch:gone");
        client.put(gone, bytes("old"));

        client.write(new Batch().put(kept, bytes("a\nb\0c")).delete(gone));

        assertThat(client.get(kept).orElseThrow().text()).isEqualTo("a\nb\0c");
        assertThat(client.get(gone)).isEmpty();
    }

    @Test
    void aBatchIsBoundedWhereItIsMade() {
        Batch full = new Batch();
        for (int i = 0; i < Batch.MAX_OPERATIONS; i++) {
            full.delete(Key.of("k"));
        }
        assertThatThrownBy(() -> full.delete(Key.of("k"))).hasMessageContaining("10000 operations");
        assertThatThrownBy(() -> client.write(new Batch())).isInstanceOf(IllegalArgumentException.class);
        client.write(full);
        assertThat(full.operations()).isEqualTo(Batch.MAX_OPERATIONS);
    }

    @Test
    void manyCallsAreUnderWayAtOnce() {
        List<CompletableFuture<Version>> puts = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            puts.add(client.async().put(Key.of("async:" + i), bytes("v" + i), PutOptions.defaults()));
        }
        CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new)).join();

        assertThat(client.async().get(Key.of("async:199")).join().orElseThrow().text())
                .isEqualTo("v199");
        client.async().delete(Key.of("async:199"), Condition.present()).join();
        assertThat(client.get(Key.of("async:199"))).isEmpty();
    }

    @Test
    void aWrongAddressIsToldInTheWordsOfTheNode() {
        KvantClient lost = KvantClient.of(URI.create(node.url() + "/v0/nothing"));

        assertThatThrownBy(() -> lost.get(Key.of("k")))
                .isInstanceOf(KvantException.Refused.class)
                .hasMessageContaining("GET " + node.url() + "/v0/nothing/v0/entity: 404 Unknown path")
                .hasMessageContaining("(1 try)")
                .message()
                .doesNotContain("id=");
    }

    @Test
    void optionsAreBounded() {
        ClientOptions options = ClientOptions.of(node.url());

        assertThatThrownBy(() -> ClientOptions.of(URI.create("ftp://x"))).hasMessageContaining("http://HOST:PORT");
        assertThatThrownBy(() -> options.with(o -> o.tries = 0)).hasMessageContaining("tries");
        assertThatThrownBy(() -> options.with(o -> o.deadline = Duration.ZERO)).hasMessageContaining("deadline");
        assertThatThrownBy(() -> options.with(o -> o.retryShare = 2)).hasMessageContaining("share");
        assertThatThrownBy(() -> client.within(Duration.ZERO)).hasMessageContaining("deadline");
        assertThatThrownBy(() -> client.within(Duration.ofDays(365_000))).hasMessageContaining("deadline");
        for (String node : List.of("http://h:1?a=b", "http://h:1#a", "http://user:word@h:1", "ftp://h", "h:1")) {
            assertThatThrownBy(() -> KvantClient.of(URI.create(node))).hasMessageContaining("a node is http");
        }
        assertThatThrownBy(() -> Key.of("")).hasMessageContaining("1 to 65536");
        assertThatThrownBy(() -> Key.of(new byte[Key.MAX_BYTES + 1])).hasMessageContaining("1 to 65536");
        assertThatThrownBy(() -> RangeQuery.from(Key.of("k")).limit(0)).hasMessageContaining("limit");
        assertThatThrownBy(() -> new Version("1\"")).hasMessageContaining("digits");
    }
}
