package kvant.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import kvant.server.ApiDocument;

/// Requirements of the API description for clients in any language.
final class ClientContract {

    /// An answer as it is described: one of each problem, in the words of its schema.
    record Sample(int status, String type, String body) {}

    /// Headers of HTTP itself, and the one of [RFC 6750](https://www.rfc-editor.org/rfc/rfc6750).
    private static final Set<String> OF_HTTP = Set.of(
            "accept",
            "accept-encoding",
            "authorization",
            "connection",
            "content-length",
            "content-type",
            "host",
            "user-agent");

    /// Headers of answers that clients look at.
    private static final Set<String> LOOKED_AT = Set.of("etag", "retry-after");

    /// The media type of a body without a `Content-Type` (RFC 9110, section 8.3).
    private static final String BYTES = "application/octet-stream";

    private static final Pattern HEADER = Pattern.compile("(?m)^([^:\r\n]+): ([^\r\n]*)");

    private final ApiDocument document = new ApiDocument();

    /// Fails where the description does not have something of it.
    ///
    /// @return the name of its operation
    String check(FaultyProxy.Exchange exchange) {
        String[] line = exchange.request()
                .substring(0, exchange.request().indexOf("\r\n"))
                .split(" ");
        String[] target = line[1].split("\\?", 2);
        Map<?, ?> operation = document.at("paths", target[0], line[0].toLowerCase(Locale.ROOT));
        Map<String, String> headers = headers(exchange.request());
        Set<String> queries = queries(target);
        assertThat(parameters(operation, "query", false)).as(exchange.request()).containsAll(queries);
        assertThat(queries).as(exchange.request()).containsAll(parameters(operation, "query", true));
        Set<String> own = new TreeSet<>(headers.keySet());
        own.removeAll(OF_HTTP);
        assertThat(parameters(operation, "header", false))
                .as(exchange.request())
                .containsAll(own);
        checkBody(operation, headers, exchange.request());
        checkAnswer(operation, exchange.answer(), line[0].equals("HEAD"));
        String accepted = headers.getOrDefault("accept", "*/*");
        if (!accepted.equals("*/*")) {
            assertThat(media(response(operation, 200))).contains(accepted);
        }
        return String.valueOf(operation.get("operationId"));
    }

    private static void checkBody(Map<?, ?> operation, Map<String, String> headers, String request) {
        boolean isSent = !headers.getOrDefault("content-length", "0").equals("0");
        if (isSent || headers.containsKey("content-type")) {
            assertThat(media(ApiDocument.in(operation, "requestBody")))
                    .as(request)
                    .contains(headers.getOrDefault("content-type", BYTES));
        }
    }

    private void checkAnswer(Map<?, ?> operation, String answer, boolean isHead) {
        int status = Integer.parseInt(answer.split(" ")[1]);
        Map<?, ?> response = response(operation, status);
        Map<String, String> headers = headers(answer);
        if (headers.containsKey("content-type") && !isHead) {
            assertThat(media(response)).as(answer).contains(headers.get("content-type"));
        }
        Set<String> lookedAt = new TreeSet<>(headers.keySet());
        lookedAt.retainAll(LOOKED_AT);
        assertThat(headersOf(response)).as(answer).containsAll(lookedAt);
    }

    /// Names of the described headers of an answer, in small letters.
    Set<String> headersOf(Map<?, ?> response) {
        return response.get("headers") instanceof Map<?, ?> headers ? small(headers.keySet()) : Set.of();
    }

    Map<?, ?> response(Map<?, ?> operation, int status) {
        return document.resolved(ApiDocument.in(operation, "responses", String.valueOf(status)));
    }

    private static Set<String> media(Map<?, ?> body) {
        return body.get("content") instanceof Map<?, ?> content ? small(content.keySet()) : Set.of();
    }

    private static Set<String> small(Collection<?> names) {
        return names.stream()
                .map(name -> name.toString().toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<String, String> headers(String head) {
        Map<String, String> headers = new TreeMap<>();
        HEADER.matcher(head)
                .results()
                .forEach(match -> headers.put(match.group(1).toLowerCase(Locale.ROOT), match.group(2)));
        return headers;
    }

    private static Set<String> queries(String[] target) {
        Set<String> names = new TreeSet<>();
        for (String parameter : target.length < 2 ? new String[0] : target[1].split("&")) {
            names.add(parameter.substring(0, parameter.indexOf('=')));
        }
        return names;
    }

    /// @param needed only those that a request has to have
    private Set<String> parameters(Map<?, ?> operation, String in, boolean needed) {
        Set<String> names = new TreeSet<>();
        if (operation.get("parameters") instanceof List<?> parameters) {
            for (Object each : parameters) {
                Map<?, ?> parameter = document.resolved(each);
                if (in.equals(parameter.get("in")) && (!needed || Boolean.TRUE.equals(parameter.get("required")))) {
                    names.add(String.valueOf(parameter.get("name")).toLowerCase(Locale.ROOT));
                }
            }
        }
        return names;
    }

    /// By their names.
    List<Map<?, ?>> operations(Set<String> names) {
        List<Map<?, ?>> operations = document.operations().stream()
                .filter(operation -> names.contains(String.valueOf(operation.get("operationId"))))
                .toList();
        assertThat(operations).hasSize(names.size());
        return operations;
    }

    /// A document of each type of problem, of all operations of these names, in the order of the types.
    List<Sample> problems(Set<String> names) {
        Map<String, Sample> problems = new TreeMap<>();
        for (Map<?, ?> operation : operations(names)) {
            for (Object status : ApiDocument.in(operation, "responses").keySet()) {
                Map<?, ?> response = response(operation, Integer.parseInt(status.toString()));
                if (media(response).contains("application/problem+json")) {
                    Map<?, ?> schema = ApiDocument.in(response, "content", "application/problem+json", "schema");
                    samples(schema).forEach(sample -> problems.put(sample.type(), sample));
                }
            }
        }
        return List.copyOf(problems.values());
    }

    private List<Sample> samples(Map<?, ?> schema) {
        Map<Object, Object> properties = new TreeMap<>();
        for (Object part : (List<?>) Objects.requireNonNull(schema.get("allOf"))) {
            properties.putAll(ApiDocument.in(document.resolved(part), "properties"));
        }
        Object status = ApiDocument.in(properties, "status").get("const");
        List<?> types = (List<?>)
                Objects.requireNonNull(ApiDocument.in(properties, "type").get("enum"));
        return types.stream()
                .map(type -> new Sample(
                        (Integer) Objects.requireNonNull(status),
                        type.toString(),
                        properties.keySet().stream()
                                .map(name -> '"' + name.toString() + "\":" + value(name, status, type))
                                .collect(Collectors.joining(",", "{", "}"))))
                .toList();
    }

    private static String value(Object name, Object status, Object type) {
        return switch (name.toString()) {
            case "status" -> status.toString();
            case "type" -> '"' + type.toString() + '"';
            default -> "\"the " + name + '"';
        };
    }
}
