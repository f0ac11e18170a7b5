package kvant.load.dialect;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import kvant.load.dialect.RequestEncoder.Place;
import kvant.load.http.AnswerReader;
import kvant.load.http.ResponseParser;
import kvant.load.http.Target;
import kvant.load.keys.KeyText;
import org.jspecify.annotations.Nullable;

/// The protocol of a kind of server: the bytes of a get, put, delete and range request, and the meaning of its answers.
/// The rest of a run is the same for all protocols, so that their figures come from the same generator.
public enum Dialect {
    /// Values as bodies, HTTP status codes: Kvant, and servers with the same API.
    KVANT("/v0/entity?id={key}", "/v0/entities?start={key}&limit={limit}"),
    /// One path per key, as in a file server with WebDAV's `PUT`.
    STATIC("/{key}", ""),
    /// Redis commands in HTTP paths.
    WEBDIS("", ""),
    /// The JSON gateway of etcd: base64 in JSON.
    ETCD("", ""),
    /// The protocol of Redis, version 2.
    RESP("", "");

    /// Methods that normally have content, so that its absence must be stated too.
    private static final Set<String> WITH_CONTENT = Set.of("POST", "PUT", "PATCH");

    private static final String CONTENT_LENGTH = "Content-Length: ";

    private final String entityPath;
    private final String scanPath;

    Dialect(String entityPath, String scanPath) {
        this.entityPath = entityPath;
        this.scanPath = scanPath;
    }

    /// Its name on the command line.
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// @throws IllegalArgumentException with a readable one-line reason
    public static Dialect parse(String text) {
        return Arrays.stream(values())
                .filter(one -> one.key().equals(text.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not one of " + names()));
    }

    private static String names() {
        return Arrays.stream(values()).map(Dialect::key).collect(Collectors.joining(", "));
    }

    /// The chosen dialect, or the one implied by the URL.
    ///
    /// @throws IllegalArgumentException with a readable one-line reason
    public static Dialect of(@Nullable String chosen, String url) {
        if (chosen != null) {
            return parse(chosen);
        }
        return url.startsWith(Target.REDIS + ":") ? RESP : KVANT;
    }

    /// The path of a key, with `{key}`; empty if it cannot be configured.
    public String entityPath() {
        return entityPath;
    }

    /// The path of a range, with `{key}` and `{limit}`; empty if it cannot be configured.
    public String scanPath() {
        return scanPath;
    }

    /// Whether it supports ordered ranges of keys.
    public boolean hasRanges() {
        return this == KVANT || this == ETCD;
    }

    public boolean isHttp() {
        return this != RESP;
    }

    /// @throws IllegalArgumentException when the server has another protocol
    public void check(Target target) {
        if (isHttp() == target.isRedis()) {
            throw new IllegalArgumentException("the dialect '" + key() + "' is spoken to "
                    + (isHttp() ? Target.HTTP : Target.REDIS) + "://HOST:PORT, not to " + target.url());
        }
    }

    /// @param bodiless whether the requests are `HEAD` requests, whose answers have no body
    public AnswerReader reader(boolean bodiless) {
        return switch (this) {
            case KVANT, STATIC -> new ResponseParser(bodiless);
            case WEBDIS -> new WebdisReader();
            case ETCD -> new EtcdReader();
            case RESP -> new RespReader();
        };
    }

    /// @param ownEntityPath instead of [#entityPath()]
    /// @param ownScanPath instead of [#scanPath()]
    /// @param headers lines of the form `Name: value`, for every request
    public RequestEncoder encoder(
            Target target, String ownEntityPath, String ownScanPath, List<String> headers, KeyText keys) {
        String head = head(target, headers);
        String base = target.hasPath() ? target.path().replaceAll("/+$", "") : "";
        String entity = base + ownEntityPath;
        return switch (this) {
            case KVANT, STATIC -> {
                String scan = ownScanPath.isEmpty() ? "" : base + ownScanPath;
                yield http(keys, head, entity, entity, "DELETE", entity, scan);
            }
            case WEBDIS -> {
                String key = "/{key}.bin";
                yield http(keys, head, base + "/GET" + key, base + "/SET" + key, "GET", base + "/DEL" + key, "");
            }
            case ETCD ->
                new RequestEncoder(
                        keys,
                        true,
                        etcd(base + "/v3/kv/range", head, "\"}"),
                        etcd(base + "/v3/kv/put", head, "\",\"value\":\"", Place.VALUE, "\"}"),
                        etcd(base + "/v3/kv/deleterange", head, "\"}"),
                        // A range end of the byte 0 means no end.
                        etcd(base + "/v3/kv/range", head, "\",\"range_end\":\"AA==\",\"limit\":", Place.LIMIT, "}"));
            case RESP ->
                new RequestEncoder(
                        keys,
                        false,
                        redis(2, "GET"),
                        redis(3, "SET", "$", Place.VALUE_BYTES, "\r\n", Place.VALUE, "\r\n"),
                        redis(2, "DEL"),
                        List.of());
        };
    }

    /// The request of a URL, the same every time.
    public static RequestEncoder plain(String method, Target target, List<String> headers, byte[] body) {
        boolean said = body.length > 0 || WITH_CONTENT.contains(method); // RFC 9110, 8.6
        String length = said ? CONTENT_LENGTH + body.length + "\r\n" : "";
        List<String> form = List.of(
                method + " " + target.path() + " HTTP/1.1\r\n" + head(target, headers) + length + "\r\n",
                new String(body, StandardCharsets.ISO_8859_1));
        return new RequestEncoder(KeyText.DEFAULT, false, form, List.of(), List.of(), List.of());
    }

    /// The header lines common to all requests.
    private static String head(Target target, List<String> headers) {
        boolean named = headers.stream().anyMatch(header -> header.regionMatches(true, 0, "host:", 0, 5));
        String host = named ? "" : "Host: " + target.authority() + "\r\n";
        return host + headers.stream().map(header -> header + "\r\n").collect(Collectors.joining());
    }

    /// @param delete method of a delete
    /// @param scan path of a range; empty if there is none
    private static RequestEncoder http(
            KeyText keys, String head, String get, String put, String delete, String deletePath, String scan) {
        return new RequestEncoder(
                keys,
                false,
                http("GET", get, head, "\r\n"),
                http("PUT", put, head, CONTENT_LENGTH, Place.LENGTH, "\r\n\r\n", Place.VALUE),
                http(delete, deletePath, head, "\r\n"),
                scan.isEmpty() ? List.of() : http("GET", scan, head, "\r\n"));
    }

    /// @param path with `{key}`, of a scan also with `{limit}`
    private static List<Object> http(String method, String path, String head, Object... rest) {
        List<Object> form = new ArrayList<>();
        form.add(method + " ");
        for (String piece : path.splitWithDelimiters("\\{(key|limit)}", 0)) {
            form.add(piece.equals("{key}") ? Place.KEY : piece.equals("{limit}") ? Place.LIMIT : piece);
        }
        form.add(" HTTP/1.1\r\n" + head);
        form.addAll(List.of(rest));
        return form;
    }

    /// etcd's JSON gateway supports only `POST`: keys and values in base64 inside an object.
    private static List<Object> etcd(String path, String head, Object... afterKey) {
        List<Object> form = http("POST", path, head, CONTENT_LENGTH, Place.LENGTH, "\r\n\r\n{\"key\":\"", Place.KEY);
        form.addAll(List.of(afterKey));
        return form;
    }

    /// A command as an array of bulk strings.
    private static List<Object> redis(int words, String name, Object... afterKey) {
        List<Object> form = new ArrayList<>();
        form.add("*" + words + "\r\n$3\r\n" + name + "\r\n$");
        form.addAll(List.of(Place.KEY_BYTES, "\r\n", Place.KEY, "\r\n"));
        form.addAll(List.of(afterKey));
        return form;
    }
}
