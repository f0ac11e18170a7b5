package kvant.load.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import kvant.load.http.Target;
import kvant.load.keys.KeyText;
import kvant.load.keys.Values;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The bytes of requests, as their servers understand them.
class DialectTest {

    private static final String HEAD = " HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n";

    private static RequestEncoder encoder(Dialect dialect) {
        String scheme = dialect.isHttp() ? "http" : "redis";
        return dialect.encoder(
                Target.parse(scheme + "://127.0.0.1:8080"),
                dialect.entityPath(),
                dialect.scanPath(),
                List.of(),
                KeyText.DEFAULT);
    }

    /// One request of an encoder.
    private interface Request {
        int write(RequestEncoder encoder, byte[] into, int at);
    }

    private static String written(Dialect dialect, int valueBytes, Request request) {
        RequestEncoder encoder = encoder(dialect);
        byte[] into = new byte[encoder.mostBytes(valueBytes) + 3]; // the bound holds: what is longer would not fit
        int end = request.write(encoder, into, 3);
        return new String(into, 3, end - 3, StandardCharsets.ISO_8859_1);
    }

    private static String value(long key, int bytes) {
        return new String(valueBytes(key, bytes), StandardCharsets.ISO_8859_1);
    }

    private static byte[] valueBytes(long key, int bytes) {
        byte[] value = new byte[bytes];
        Values.write(key, bytes, value, 0);
        return value;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void staticPathsAreOneForEachKey() {
        assertThat(written(Dialect.STATIC, 0, (encoder, into, at) -> encoder.get(7, false, into, at)))
                .isEqualTo("GET /k00000000007" + HEAD + "\r\n");
        assertThat(written(Dialect.STATIC, 5, (encoder, into, at) -> encoder.put(7, 5, into, at)))
                .isEqualTo("PUT /k00000000007" + HEAD + "Content-Length: 5\r\n\r\n" + value(7, 5));
    }

    @Test
    void webdisHasCommandsInItsPaths() {
        assertThat(written(Dialect.WEBDIS, 0, (encoder, into, at) -> encoder.get(7, true, into, at)))
                .isEqualTo("GET /GET/k00000000007x.bin" + HEAD + "\r\n");
        assertThat(written(Dialect.WEBDIS, 20, (encoder, into, at) -> encoder.put(7, 20, into, at)))
                .isEqualTo("PUT /SET/k00000000007.bin" + HEAD + "Content-Length: 20\r\n\r\n" + value(7, 20));
        assertThat(written(Dialect.WEBDIS, 0, (encoder, into, at) -> encoder.delete(7, into, at)))
                .isEqualTo("GET /DEL/k00000000007.bin" + HEAD + "\r\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 20, 100, 1024})
    void etcdGetsBase64InJson(int bytes) {
        String body = "{\"key\":\"" + base64("k00000000007") + "\",\"value\":\"" + base64(value(7, bytes)) + "\"}";
        assertThat(written(Dialect.ETCD, bytes, (encoder, into, at) -> encoder.put(7, bytes, into, at)))
                .isEqualTo("POST /v3/kv/put" + HEAD + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    @Test
    void etcdReadsAndDeletesByPost() {
        String key = "{\"key\":\"" + base64("k00000000007");
        String missing = "{\"key\":\"" + base64("k00000000007x");
        assertThat(written(Dialect.ETCD, 0, (encoder, into, at) -> encoder.get(7, true, into, at)))
                .isEqualTo("POST /v3/kv/range" + HEAD + "Content-Length: 30\r\n\r\n" + missing + "\"}");
        assertThat(written(Dialect.ETCD, 0, (encoder, into, at) -> encoder.delete(7, into, at)))
                .isEqualTo("POST /v3/kv/deleterange" + HEAD + "Content-Length: 26\r\n\r\n" + key + "\"}");
        String range = key + "\",\"range_end\":\"AA==\",\"limit\":100}";
        assertThat(written(Dialect.ETCD, 0, (encoder, into, at) -> encoder.scan(7, 100, into, at)))
                .isEqualTo("POST /v3/kv/range" + HEAD + "Content-Length: " + range.length() + "\r\n\r\n" + range);
    }

    @Test
    void redisGetsArraysOfBulkStrings() {
        assertThat(written(Dialect.RESP, 0, (encoder, into, at) -> encoder.get(7, false, into, at)))
                .isEqualTo("*2\r\n$3\r\nGET\r\n$12\r\nk00000000007\r\n");
        assertThat(written(Dialect.RESP, 0, (encoder, into, at) -> encoder.get(7, true, into, at)))
                .isEqualTo("*2\r\n$3\r\nGET\r\n$13\r\nk00000000007x\r\n");
        assertThat(written(Dialect.RESP, 100, (encoder, into, at) -> encoder.put(7, 100, into, at)))
                .isEqualTo("*3\r\n$3\r\nSET\r\n$12\r\nk00000000007\r\n$100\r\n" + value(7, 100) + "\r\n");
        assertThat(written(Dialect.RESP, 0, (encoder, into, at) -> encoder.delete(7, into, at)))
                .isEqualTo("*2\r\n$3\r\nDEL\r\n$12\r\nk00000000007\r\n");
    }

    /// Values of several lengths follow each other: none is left over from the one before.
    @Test
    void aLengthMayChangeFromRequestToRequest() {
        RequestEncoder etcd = encoder(Dialect.ETCD);
        byte[] into = new byte[etcd.mostBytes(100)];
        for (int bytes : new int[] {100, 10, 100, 0}) {
            int end = etcd.put(9, bytes, into, 0);
            assertThat(new String(into, 0, end, StandardCharsets.ISO_8859_1))
                    .endsWith("\"value\":\"" + base64(value(9, bytes)) + "\"}");
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void eachIsFoundByItsName(Dialect dialect) {
        assertThat(Dialect.parse(dialect.key())).isEqualTo(dialect);
    }

    @Test
    void aUrlOfRedisSaysItsDialectAndNoOther() {
        assertThat(Dialect.of(null, "redis://h")).isEqualTo(Dialect.RESP);
        assertThat(Dialect.of(null, "http://h")).isEqualTo(Dialect.KVANT);
        assertThat(Dialect.of("etcd", "http://h")).isEqualTo(Dialect.ETCD);
        assertThatThrownBy(() -> Dialect.of("memcached", "http://h")).hasMessageContaining("kvant, static, webdis");
        assertThatThrownBy(() -> Dialect.RESP.check(Target.parse("http://h"))).hasMessageContaining("redis://");
        assertThatThrownBy(() -> Dialect.ETCD.check(Target.parse("redis://h"))).hasMessageContaining("http://");
        assertThatThrownBy(() -> Target.parse("redis://h/0")).hasMessageContaining("path");
        assertThat(Target.parse("redis://h")).isEqualTo(new Target("redis", "h", 6379, "/"));
        assertThat(Target.parse("redis://h:1").url()).isEqualTo("redis://h:1/");
    }
}
