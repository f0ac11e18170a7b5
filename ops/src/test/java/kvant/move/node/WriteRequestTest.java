package kvant.move.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import org.junit.jupiter.api.Test;

/// Mutations as requests, and refusals as what they are to the port.
class WriteRequestTest {

    private static final long NOW = 1_000_000_500;

    @Test
    void oneRecordIsAnEntity() {
        WriteRequest put = of(new Mutation.Put(new byte[] {0, 'a', '+', ' ', (byte) 0xFF}, bytes("v")));
        assertThat(put.method()).isEqualTo("PUT");
        assertThat(put.isBatch()).isFalse();
        assertThat(put.path()).isEqualTo("/v0/entity?id=%00a%2B%20%FF");
        assertThat(put.body()).isEqualTo(bytes("v"));
        assertThat(of(new Mutation.Delete(bytes("k"))).method()).isEqualTo("DELETE");
    }

    @Test
    void severalAreABatch() {
        WriteRequest batch = of(
                new Mutation.Put(bytes("k1"), bytes("hello")),
                new Mutation.Put(bytes("k2"), bytes("world"), NOW + 59_001),
                new Mutation.Put(bytes("gone"), bytes("x"), NOW),
                new Mutation.Delete(bytes("k3")));
        assertThat(batch.method()).isEqualTo("POST");
        assertThat(batch.path()).isEqualTo("/v0/batch");
        assertThat(batch.isBatch()).isTrue();
        assertThat(new String(batch.body(), StandardCharsets.UTF_8))
                .isEqualTo("put 2 5\nk1hello\nput 2 5 60\nk2world\ndelete 2\nk3\n");
    }

    @Test
    void aLifeTimeIsRoundedUp() {
        assertThat(of(expiring(NOW + 1)).path()).endsWith("&ttl=1");
        assertThat(of(expiring(NOW + 1000)).path()).endsWith("&ttl=1");
        assertThat(of(expiring(NOW + 1001)).path()).endsWith("&ttl=2");
    }

    @Test
    void noLifeIsLongerThanANodeTakes() {
        Mutation endless = expiring(Long.MAX_VALUE);
        assertThat(of(endless).path()).endsWith("&ttl=" + Mutation.Put.MAX_LIFE_SECONDS);
        assertThat(new String(of(endless, endless).body(), StandardCharsets.US_ASCII))
                .contains(" " + Mutation.Put.MAX_LIFE_SECONDS + "\n");
    }

    @Test
    void whatHasExpiredIsNotSent() {
        assertThat(WriteRequest.of(List.of(expiring(NOW)), clock())).isNull();
        assertThat(WriteRequest.of(List.of(expiring(NOW), expiring(1)), clock()))
                .isNull();
    }

    @Test
    void refusalsAreToldApart() {
        Map<EngineException, Class<?>> kinds = Map.ofEntries(
                entry(failure(503, "overloaded"), EngineException.Busy.class),
                entry(failure(503, "closing"), EngineException.Busy.class),
                entry(failure(503, "writes-stopped"), EngineException.LogFailed.class),
                entry(failure(504, "replicas-unavailable"), EngineException.Unavailable.class),
                entry(failure(504, "outcome-unknown"), EngineException.OutcomeUnknown.class),
                entry(failure(507, "storage-full"), EngineException.StorageFull.class),
                entry(failure(501, "unsupported"), EngineException.Unsupported.class),
                entry(failure(413, "body-too-large"), EngineException.Unsupported.class),
                entry(failure(500, "io"), EngineException.Io.class),
                entry(failure(400, "malformed-batch"), EngineException.Io.class));
        kinds.forEach((failure, kind) -> assertThat(failure).isInstanceOf(kind));
        assertThat(failure(507, "storage-full")).hasMessage("the node answered 507: it \"is\" so");
        assertThat(Answers.failure(502, bytes("<html>"))).hasMessage("the node answered 502");
    }

    private static EngineException failure(int status, String type) {
        return Answers.failure(
                status,
                bytes("{\"type\":\"urn:kvant:problem:" + type + "\",\"status\":" + status
                        + ",\"detail\":\"it \\\"is\\\" so\"}"));
    }

    private static Mutation expiring(long end) {
        return new Mutation.Put(bytes("k"), bytes("v"), end);
    }

    private static WriteRequest of(Mutation... mutations) {
        return Objects.requireNonNull(WriteRequest.of(List.of(mutations), clock()));
    }

    private static InstantSource clock() {
        return InstantSource.fixed(Instant.ofEpochMilli(NOW));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
