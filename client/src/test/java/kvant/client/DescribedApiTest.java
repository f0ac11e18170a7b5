package kvant.client;

import static kvant.client.TestNode.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// The client beside the description of the API: it sends nothing that is not described, and knows each answer that is.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DescribedApiTest {

    /// What the client is for, by the names of the description.
    private static final Set<String> CLAIMED = Set.of("getById", "headById", "putById", "deleteById", "scan", "batch");

    /// Headers of HTTP itself, and the one of [RFC 6750](https://www.rfc-editor.org/rfc/rfc6750).
    private static final Set<String> OF_HTTP =
            Set.of("accept", "authorization", "connection", "content-length", "content-type", "host", "user-agent");

    private static final Pattern HEADER = Pattern.compile("(?m)^([^:\r\n]+): ");

    private final Map<?, ?> document = read();

    private static Map<?, ?> read() {
        try (InputStream in =
                Objects.requireNonNull(DescribedApiTest.class.getResourceAsStream("/kvant/server/openapi.yaml"))) {
            return (Map<?, ?>) new Load(LoadSettings.builder()
                            .setMaxAliasesForCollections(0)
                            .build())
                    .loadFromInputStream(in);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Map<?, ?> at(Object from, String... keys) {
        Map<?, ?> map = (Map<?, ?>) from;
        for (String key : keys) {
            map = (Map<?, ?>) Objects.requireNonNull(map.get(key), () -> "no " + String.join("/", keys));
        }
        return map;
    }

    /// What `$ref` names, or the thing itself.
    private Map<?, ?> resolved(Object thing) {
        Object reference = ((Map<?, ?>) thing).get("$ref");
        return reference == null
                ? (Map<?, ?>) thing
                : at(document, reference.toString().substring("#/".length()).split("/"));
    }

    private Map<?, ?> operation(String method, String path) {
        return at(document, "paths", path, method.toLowerCase(Locale.ROOT));
    }

    private List<Map<?, ?>> claimed() {
        List<Map<?, ?>> operations = new ArrayList<>();
        for (Object path : at(document, "paths").values()) {
            for (Object operation : ((Map<?, ?>) path).values()) {
                if (CLAIMED.contains(String.valueOf(((Map<?, ?>) operation).get("operationId")))) {
                    operations.add((Map<?, ?>) operation);
                }
            }
        }
        assertThat(operations).hasSize(CLAIMED.size());
        return operations;
    }

    /// Types of problems, with the status of each, of all operations that the client is for.
    private Map<String, Integer> problems() {
        Map<String, Integer> problems = new TreeMap<>();
        for (Map<?, ?> operation : claimed()) {
            at(operation, "responses").forEach((status, response) -> {
                if (resolved(response).get("content") instanceof Map<?, ?> content
                        && content.get("application/problem+json") instanceof Map<?, ?> problem) {
                    List<?> parts = (List<?>) at(problem, "schema").get("allOf");
                    Map<?, ?> type = at(Objects.requireNonNull(parts).getLast(), "properties", "type");
                    for (Object name : (Collection<?>) Objects.requireNonNull(type.get("enum"))) {
                        problems.put(name.toString(), Integer.parseInt(status.toString()));
                    }
                }
            });
        }
        return problems;
    }

    @Test
    void eachDescribedProblemHasItsMeaning() {
        Map<Meaning, Set<String>> meanings = new TreeMap<>();
        problems()
                .forEach((type, status) -> meanings.computeIfAbsent(
                                Meaning.of(new Problem(status, type, "", "")), _ -> new TreeSet<>())
                        .add(type.substring("urn:kvant:problem:".length())));

        assertThat(meanings.get(Meaning.CONDITION_FAILED)).containsExactly("precondition-failed");
        assertThat(meanings.get(Meaning.NOT_NOW))
                .containsExactly(
                        "closing",
                        "deadline-passed",
                        "overloaded",
                        "replicas-unavailable",
                        "request-timeout",
                        "too-many-requests");
        assertThat(meanings.get(Meaning.NO_WORD)).containsExactly("outcome-unknown", "read-timed-out");
        assertThat(meanings.get(Meaning.FAILED)).containsExactly("corruption", "internal", "io");
        assertThat(meanings.get(Meaning.REFUSED))
                .contains("bad-ttl", "wrong-token", "no-scope", "read-only", "storage-full", "writes-stopped")
                .hasSizeGreaterThan(25);
    }

    /// 502 is what a proxy says of a node that it cannot reach.
    @Test
    void eachStatusThatTheClientKnowsIsDescribed() {
        Set<Integer> described = claimed().stream()
                .flatMap(operation -> at(operation, "responses").keySet().stream())
                .map(status -> Integer.valueOf(status.toString()))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<Integer> known = IntStream.range(400, 600)
                .filter(status -> Meaning.of(new Problem(status, "", "", "")) != usual(status))
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));

        known.remove(502);
        assertThat(known).isNotEmpty().isSubsetOf(described);
        assertThat(described).contains(200, 201, 202, 404, 500);
    }

    private static Meaning usual(int status) {
        return status < 500 ? Meaning.REFUSED : Meaning.FAILED;
    }

    @Test
    void eachRequestIsDescribedAndEachClaimedOneIsMade(@TempDir Path folder) throws IOException {
        Set<String> made = new TreeSet<>();
        try (TestNode node = TestNode.start(folder);
                FaultyProxy recorder = new FaultyProxy(node.port())) {
            askForEverything(KvantClient.of(ClientOptions.of(recorder.url()).with(o -> o.token = () -> "kvant_token")));
            for (String head : recorder.requests()) {
                String[] line = head.substring(0, head.indexOf("\r\n")).split(" ");
                String[] target = line[1].split("\\?", 2);
                Map<?, ?> operation = operation(line[0], target[0]);
                made.add(String.valueOf(operation.get("operationId")));
                assertThat(parameters(operation, "query")).as(head).containsAll(names(target));
                Set<String> headers = HEADER.matcher(head)
                        .results()
                        .map(match -> match.group(1).toLowerCase(Locale.ROOT))
                        .collect(Collectors.toCollection(TreeSet::new));
                headers.removeAll(OF_HTTP);
                assertThat(parameters(operation, "header")).as(head).containsAll(headers);
            }
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

    private static Set<String> names(String[] target) {
        Set<String> names = new TreeSet<>();
        for (String parameter : target.length < 2 ? new String[0] : target[1].split("&")) {
            names.add(parameter.substring(0, parameter.indexOf('=')));
        }
        return names;
    }

    private Set<String> parameters(Map<?, ?> operation, String in) {
        Set<String> names = new TreeSet<>();
        if (operation.get("parameters") instanceof List<?> parameters) {
            for (Object each : parameters) {
                Map<?, ?> parameter = resolved(each);
                if (in.equals(parameter.get("in"))) {
                    names.add(String.valueOf(parameter.get("name")).toLowerCase(Locale.ROOT));
                }
            }
        }
        return names;
    }
}
