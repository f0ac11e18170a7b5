package kvant.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static kvant.client.TestNode.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kvant.client.Attempts.StatusMapping;
import kvant.server.ApiDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The client against the API description: it sends only described requests, and knows each described answer.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DescribedApiTest {

    /// The operations that the client supports, by their names in the description.
    private static final Set<String> CLAIMED = Set.of("getById", "headById", "putById", "deleteById", "scan", "batch");

    private final ClientContract contract = new ClientContract();

    @Test
    void eachDescribedProblemHasItsMeaning() {
        Map<StatusMapping, Set<String>> meanings = new TreeMap<>();
        for (ClientContract.Sample sample : contract.problems(CLAIMED)) {
            Problem problem = Problem.of(sample.status(), sample.body().getBytes(UTF_8));
            assertThat(problem).isEqualTo(new Problem(sample.status(), sample.type(), "the title", "the detail"));
            meanings.computeIfAbsent(StatusMapping.of(problem), _ -> new TreeSet<>())
                    .add(sample.type().substring("urn:kvant:problem:".length()));
        }

        assertThat(meanings.get(StatusMapping.CONDITION_FAILED)).containsExactly("precondition-failed");
        assertThat(meanings.get(StatusMapping.NOT_NOW))
                .containsExactly(
                        "closing",
                        "deadline-passed",
                        "overloaded",
                        "replicas-unavailable",
                        "request-timeout",
                        "too-many-requests");
        assertThat(meanings.get(StatusMapping.NO_WORD)).containsExactly("outcome-unknown", "read-timed-out");
        assertThat(meanings.get(StatusMapping.FAILED)).containsExactly("corruption", "internal", "io");
        assertThat(meanings.get(StatusMapping.REFUSED))
                .contains("bad-ttl", "wrong-token", "no-scope", "read-only", "storage-full", "writes-stopped")
                .hasSizeGreaterThan(25);
    }

    /// 502 is what a proxy says of a node that it cannot reach.
    @Test
    void eachStatusThatTheClientKnowsIsDescribed() {
        Set<Integer> described = contract.operations(CLAIMED).stream()
                .flatMap(operation -> ApiDocument.in(operation, "responses").keySet().stream())
                .map(status -> Integer.valueOf(status.toString()))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<Integer> known = IntStream.range(400, 600)
                .filter(status -> StatusMapping.of(new Problem(status, "", "", "")) != usual(status))
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));

        known.remove(502);
        assertThat(known).isNotEmpty().isSubsetOf(described);
        assertThat(described).contains(200, 201, 202, 404, 500);
    }

    private static StatusMapping usual(int status) {
        return status < 500 ? StatusMapping.REFUSED : StatusMapping.FAILED;
    }

    /// Clients look at this header of what may be asked again.
    @Test
    void whenToComeBackIsDescribed() {
        for (Map<?, ?> operation : contract.operations(CLAIMED)) {
            assertThat(contract.headersOf(contract.response(operation, 429))).contains("retry-after");
            assertThat(contract.headersOf(contract.response(operation, 503))).contains("retry-after");
        }
    }

    @Test
    void eachRequestIsDescribedAndEachClaimedOneIsMade(@TempDir Path folder) throws IOException {
        Set<String> made = new TreeSet<>();
        try (TestNode node = TestNode.start(folder);
                FaultyProxy recorder = new FaultyProxy(node.port())) {
            askForEverything(KvantClient.of(ClientOptions.of(recorder.url()).with(o -> o.token = () -> "kvant_token")));
            recorder.exchanges().forEach(exchange -> made.add(contract.check(exchange)));
        }
        assertThat(made).isEqualTo(new TreeSet<>(CLAIMED));
    }

    private static void askForEverything(KvantClient client) {
        Key key = Key.of("k");
        Version version = client.put(
                key, bytes("v"), PutOptions.defaults().when(Condition.absent()).lives(Duration.ofHours(1)));
        client.get(key);
        client.describe(key);
        client.put(key, bytes("w"), PutOptions.defaults().when(Condition.versionIs(version)));
        client.delete(key, Condition.present());
        client.write(new Batch().put(key, bytes("v"), Duration.ofHours(1)).delete(key));
        RangeQuery query = new RangeQuery(key, Key.of("k").afterPrefix(), Optional.of(1L));
        try (RangeCursor range = client.range(query)) {
            assertThat(range.next()).isFalse();
        }
    }
}
