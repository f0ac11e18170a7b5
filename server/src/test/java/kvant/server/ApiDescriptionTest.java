package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.Problem;
import kvant.server.http.contract.Route;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The description of the API has each path, method, problem and limit of the node, and no others.
class ApiDescriptionTest {

    private static final List<String> METHODS = List.of("GET", "HEAD", "PUT", "DELETE", "POST");
    private static final Map<String, String> QUERIES = Map.of("/v0/entity", "?id=k", "/v0/entities", "?start=k");

    private final ApiDocument document = new ApiDocument();

    private static Set<String> methodsOf(Object path) {
        return ((Map<?, ?>) path)
                .keySet().stream()
                        .map(name -> name.toString().toUpperCase(Locale.ROOT))
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void eachRouteIsDescribedWithItsMethodsAndNoOtherPathIs() throws Exception {
        Set<String> routes = new TreeSet<>(Set.of("/v0/entity/{key}"));
        for (Route route : Route.values()) {
            routes.add(route.path());
        }
        Set<String> described = new TreeSet<>();
        document.at("paths").keySet().forEach(path -> described.add(path.toString()));
        assertThat(described).isEqualTo(routes);

        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> o.slowPage = true));
                RawClient client = harness.client()) {
            for (String path : described) {
                Set<String> methods = methodsOf(document.at("paths").get(path));
                for (String method : METHODS) {
                    String target = path.replace("{key}", "k") + QUERIES.getOrDefault(path, "");
                    client.send(method + " " + target + " HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n");
                    RawClient.Answer answer = client.read(method.equals("HEAD"));
                    String what = method + " " + target;
                    assertThat(answer.status() != 405).as(what).isEqualTo(methods.contains(method));
                    assertThat(answer.text()).as(what).doesNotStartWith("{\"type\":\"urn:kvant:problem:unknown-path");
                    if (answer.status() == 405) {
                        assertThat(Set.of(answer.header("Allow").split(", ")))
                                .as(what)
                                .isEqualTo(methods);
                    }
                }
            }
        }
    }

    @Test
    void eachProblemIsDescribedWithItsStatus() {
        Map<String, Set<String>> described = new TreeMap<>();
        document.at("components", "responses").values().forEach(response -> {
            Map<?, ?> content = (Map<?, ?>) ((Map<?, ?>) response).get("content");
            if (content != null && content.get("application/problem+json") instanceof Map<?, ?> problem) {
                List<?> all = (List<?>) ((Map<?, ?>) Objects.requireNonNull(problem.get("schema"))).get("allOf");
                Map<?, ?> properties =
                        (Map<?, ?>) ((Map<?, ?>) Objects.requireNonNull(all).getLast()).get("properties");
                Map<?, ?> status =
                        (Map<?, ?>) Objects.requireNonNull(properties).get("status");
                Map<?, ?> type = (Map<?, ?>) properties.get("type");
                Set<String> types = new TreeSet<>();
                ((List<?>) Objects.requireNonNull(Objects.requireNonNull(type).get("enum")))
                        .forEach(one -> types.add(one.toString()));
                described.put(String.valueOf(Objects.requireNonNull(status).get("const")), types);
            }
        });
        Map<String, Set<String>> there = new TreeMap<>();
        for (Problem problem : Problem.values()) {
            there.computeIfAbsent(String.valueOf(problem.status()), _ -> new TreeSet<>())
                    .add(problem.type());
        }

        assertThat(described).isEqualTo(there);
    }

    @Test
    void theLimitOfKeysIsTheNodes() {
        for (String parameter : List.of("Id", "Key", "Start", "End", "Prefix")) {
            assertThat(document.at("components", "parameters", parameter, "schema")
                            .get("maxLength"))
                    .as(parameter)
                    .isEqualTo(HttpLimits.defaults().maxKeyBytes());
        }
    }

    @Test
    void theNodeServesItsDescription() throws Exception {
        try (NodeHarness harness = NodeHarness.sync();
                RawClient client = harness.client()) {
            RawClient.Answer answer = client.exchange("GET /openapi.yaml HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("Content-Type")).isEqualTo("application/yaml");
            assertThat(answer.text())
                    .isEqualTo(
                            Files.readString(Path.of("src", "main", "resources", "kvant", "server", "openapi.yaml")));
        }
    }

    @ParameterizedTest
    @CsvSource({"false, 404", "true, 400"})
    void everyUnknownPathHasOneStatus(boolean strict, int status) throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> o.strictPaths = strict));
                RawClient client = harness.client()) {
            for (String path : List.of("/", "/x", "/v0", "/v0/", "/v0/nothing", "/v0/entities/k", "/debug/slow")) {
                assertThat(client.exchange("GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n")
                                .text())
                        .as(path)
                        .contains("\"status\":" + status, "urn:kvant:problem:unknown-path", "/openapi.yaml");
            }
            assertThat(client.exchange("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n").status())
                    .isEqualTo(status);
        }
    }
}
