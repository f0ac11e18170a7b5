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

/// How a kind of server is spoken to: what a get, a put, a delete and a range are in bytes, and what its
/// answers mean. Everything else of a run is the same for all of them, so that their figures are of one
/// generator.
public enum Dialect {
    /// Values as bodies, statuses of HTTP: Kvant, and what keeps its contract.
    KVANT("/v0/entity?id={key}", "/v0/entities?start={key}&limit={limit}"),
    /// One path for each key, as a server of files with WebDAV's `PUT` has it.
    STATIC("/{key}", ""),
    /// Commands of Redis in the path of HTTP.
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

    /// @throws IllegalArgumentException with a line for a person
    public static Dialect parse(String text) {
        return Arrays.stream(values())
                .filter(one -> one.key().equals(text.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not one of " + names()));
    }

    private static String names() {
        return Arrays.stream(values()).map(Dialect::key).collect(Collectors.joining(", "));
    }

    /// What was chosen, or what the URL says.
    ///
    /// @throws IllegalArgumentException with a line for a person
    public static Dialect of(@Nullable String chosen, String url) {
        if (chosen != null) {
            return parse(chosen);
        }
        return url.startsWith(Target.REDIS + ":") ? RESP : KVANT;
    }

    /// Where one key is, with `{key}`; empty where that is not to be chosen.
    public String entityPath() {
        return entityPath;
    }

    /// Where a range is, with `{key}` and `{limit}`; empty where that is not to be chosen.
    public String scanPath() {
        return scanPath;
    }

    /// Whether it has ranges of keys in their order.
    public boolean hasRanges() {
        return this == KVANT || this == ETCD;
    }

    public boolean isHttp() {
        return this != RESP;
    }

    /// @throws IllegalArgumentException where the server speaks another protocol
    public void check(Target target) {
        if (isHttp() == target.isRedis()) {
            throw new IllegalArgumentException("the dialect '" + key() + "' is spoken to "
                    + (isHttp() ? Target.HTTP : Target.REDIS) + "://HOST:PORT, not to " + target.url());
        }
    }

    /// @param bodiless whether the requests are such whose answers have no body: `HEAD`
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
