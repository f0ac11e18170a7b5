package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.delete;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import kvant.engine.EngineException;
import kvant.engine.Health;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Every failure of the engine has an answer of its own, and the node lives on.
@NullUnmarked
@ParameterizedClass
@EnumSource(ExecutorKind.class)
class FailureTest {

    @Parameter
    ExecutorKind executor;

    private NodeHarness harness;
    private RawClient client;

    @BeforeEach
    void start() throws Exception {
        harness = new NodeHarness(options ->
                options.withExecutor(executor).withWorkers(1).with(o -> o.directories = List.of("/srv/my data")));
        client = harness.client();
    }

    @AfterEach
    void stop() throws Exception {
        harness.close();
    }

    @Test
    void corruptionNamesTheFile() throws Exception {
        harness.engine.failReads(new EngineException.Corruption("000007.sst", 42, "bad \"checksum\""));
        RawClient.Answer answer = client.exchange(get("k"));
        assertProblem(answer, 500, "corruption");
        assertThat(answer.text()).contains("000007.sst is damaged at offset 42: bad \\\"checksum\\\"");
    }

    @Test
    void aFullDiskRefusesWritesAndServesReads() throws Exception {
        harness.engine.load(bytes("k"), bytes("v"));
        harness.engine.failWrites(new EngineException.StorageFull("no space left for the log"));
        RawClient.Answer answer = client.exchange(put("k", "w"));
        assertProblem(answer, 507, "storage-full");
        assertThat(answer.text()).contains("no space left for the log");
        assertProblem(client.exchange(delete("k")), 507, "storage-full");
        assertThat(client.exchange(get("k")).text()).isEqualTo("v");
        harness.engine.failWrites(null);
        assertThat(client.exchange(put("k", "w")).status()).isEqualTo(201);
    }

    @Test
    void aFailedLogAndABusyEngineAreUnavailable() throws Exception {
        harness.engine.failWrites(new EngineException.LogFailed("sync failed"));
        RawClient.Answer stopped = client.exchange(put("k", "v"));
        assertProblem(stopped, 503, "writes-stopped");
        harness.engine.failWrites(new EngineException.Busy("too much waits"));
        RawClient.Answer busy = client.exchange(put("k", "v"));
        assertProblem(busy, 503, "overloaded");
        assertThat(busy.header("Retry-After")).isEqualTo("1");
    }

    @Test
    void anIoFailureIsAnInternalError() throws Exception {
        harness.engine.failWrites(new EngineException.Io("cannot write", new IOException("EIO")));
        assertProblem(client.exchange(put("k", "v")), 500, "io");
        harness.engine.failReads(new EngineException.Io("cannot read", new IOException("EIO")));
        assertProblem(client.exchange(get("k")), 500, "io");
    }

    @Test
    void whatEverARequestThrowsTheClientIsAnsweredAndTheWorkerLives() throws Exception {
        for (Throwable thrown : new Throwable[] {
            new IllegalStateException("secret"), new OutOfMemoryError("secret"), new StackOverflowError("secret")
        }) {
            harness.engine.failReads(thrown);
            RawClient.Answer answer = client.exchange(get("k"));
            assertProblem(answer, 500, "internal");
            assertThat(answer.text()).doesNotContain("secret", "Exception", "at kvant");
        }
        harness.engine.failReads(null);
        assertThat(client.exchange(get("k")).status()).isEqualTo(404);
        harness.engine.throwOnSubmit(new IllegalStateException("secret"));
        assertProblem(client.exchange(put("k", "v")), 500, "internal");
        harness.engine.throwOnSubmit(null);
        assertThat(client.exchange(put("k", "v")).status()).isEqualTo(201);
    }

    @Test
    void aClosedEngineIsUnavailable() throws Exception {
        harness.engine.close();
        assertProblem(client.exchange(get("k")), 503, "closing");
        assertProblem(client.exchange(put("k", "v")), 503, "closing");
        assertProblem(client.exchange("GET /v0/entities?start=a HTTP/1.1\r\nHost: h\r\n\r\n"), 503, "closing");
        assertThat(client.exchange("GET /livez HTTP/1.1\r\nHost: h\r\n\r\n").status())
                .isEqualTo(200);
    }

    @Test
    void noAnswerNamesADirectory() throws Exception {
        harness.engine.failReads(new EngineException.Corruption("/srv/my data/000007.sst", 42, "see /var/tmp/x"));
        String corrupt = client.exchange(get("k")).text();
        assertThat(corrupt)
                .contains("000007.sst is damaged at offset 42: see <path>")
                .doesNotContain("srv", "var", "my data");
        harness.engine.failReads(null);
        for (int i = 10; i < 50; i++) {
            harness.engine.load(bytes("s" + i), new byte[10_000]); // several rounds
        }
        harness.engine.failScans(30, new EngineException.Corruption("/srv/my data/000008.sst", 1, "bad"));
        String range = "GET /v0/entities?start=a HTTP/1.1\r\nHost: h\r\nAccept: application/x-ndjson\r\n\r\n";
        assertThat(client.exchange(range).text())
                .contains("\"complete\":false", "\"reason\":\"000008.sst is damaged")
                .doesNotContain("srv");
        harness.engine.failWrites(new EngineException.StorageFull("the disk of /srv/my data is full"));
        assertThat(client.exchange(put("k", "v")).text())
                .contains("the disk of <directory> is full")
                .doesNotContain("srv", "my data");
        harness.engine.failWrites(new EngineException.Io("cannot read /srv/my data/x/1.log: EIO", null));
        assertThat(client.exchange(put("k", "v")).text())
                .contains("cannot read x/1.log: EIO")
                .doesNotContain("srv", "my data");
        harness.engine.health(new Health(List.of(
                new Health.Check(Health.READS, true, "from /srv/my data"),
                new Health.Check(Health.WRITES, false, "the log /srv/my data/3.log failed"))));
        assertThat(client.exchange("GET /readyz?verbose HTTP/1.1\r\nHost: h\r\n\r\n")
                        .text())
                .isEqualTo("reads: ok: from <directory>\nwrites: failed: the log 3.log failed\n");
    }

    private static void assertProblem(RawClient.Answer answer, int status, String type) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(answer.text()).startsWith("{\"type\":\"urn:kvant:problem:" + type + "\",");
    }
}
