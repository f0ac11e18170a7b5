package kvant.load.dialect;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import kvant.load.http.AnswerReader;
import kvant.load.http.RequestForm;
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

    private static final String WEBDIS_GET = "/GET/{key}.bin";
    private static final String WEBDIS_SET = "/SET/{key}.bin";
    private static final String WEBDIS_DELETE = "/DEL/{key}.bin";

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
        String head = RequestForm.head(target.authority(), headers);
        String base = target.hasPath() ? target.path().replaceAll("/+$", "") : "";
        return switch (this) {
            case KVANT, STATIC ->
                entities(base + ownEntityPath, ownScanPath.isEmpty() ? "" : base + ownScanPath, head, keys);
            case WEBDIS ->
                new HttpEncoder(
                        RequestForm.withKey("GET", base + WEBDIS_GET, head),
                        RequestForm.withBody("PUT", base + WEBDIS_SET, head),
                        RequestForm.withKey("GET", base + WEBDIS_DELETE, head),
                        null,
                        keys);
            case ETCD -> new EtcdEncoder(base, head, keys);
            case RESP -> new RespEncoder(keys);
        };
    }

    private static HttpEncoder entities(String entity, String scan, String head, KeyText keys) {
        return new HttpEncoder(
                RequestForm.withKey("GET", entity, head),
                RequestForm.withBody("PUT", entity, head),
                RequestForm.withKey("DELETE", entity, head),
                scan.isEmpty() ? null : RequestForm.withLimit("GET", scan, head),
                keys);
    }
}
