package kvant.load.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import kvant.load.dialect.RequestEncoder;
import kvant.load.http.Target;
import kvant.load.keys.KeyPlan;
import kvant.load.keys.ValueSizes;
import kvant.load.keys.Values;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadTest {

    @TempDir
    private Path folder;

    private static RequestSource source(Workload workload, int thread, int threads, long seed) {
        RequestEncoder encoder =
                workload.encoder(Target.parse("http://127.0.0.1:8080"), List.of("X-A: b"), new byte[0]);
        return new RequestSource(workload, encoder, workload.keys(), thread, threads, seed);
    }

    private static String next(RequestSource source) {
        source.draw();
        byte[] into = new byte[source.mostBytes()];
        return new String(into, 0, source.write(into, 0), StandardCharsets.ISO_8859_1);
    }

    @Test
    void requestsAreWhatTheySay() {
        String head = " HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nX-A: b\r\n";
        assertThat(next(source(Workload.named("get").with(w -> w.keys = 1), 0, 1, 1)))
                .isEqualTo("GET /v0/entity?id=k00000000000" + head + "\r\n");
        assertThat(next(source(Workload.named("delete"), 3, 4, 1)))
                .isEqualTo("DELETE /v0/entity?id=k00000000003" + head + "\r\n");
        assertThat(next(source(
                        Workload.named("scan").with(w -> {
                            w.keys = 1;
                            w.mostScanned = 1;
                        }),
                        0,
                        1,
                        1)))
                .isEqualTo("GET /v0/entities?start=k00000000000&limit=1" + head + "\r\n");
        assertThat(next(source(Workload.plain("HEAD"), 0, 1, 1))).isEqualTo("HEAD /" + head + "\r\n");
        byte[] value = new byte[10];
        Values.write(1_000_000, 10, value, 0);
        assertThat(next(source(Workload.named("put").with(w -> w.values = ValueSizes.fixed(10)), 0, 1, 1)))
                .isEqualTo("PUT /v0/entity?id=k00001000000" + head + "Content-Length: 10\r\n\r\n"
                        + new String(value, StandardCharsets.ISO_8859_1));
    }

    @Test
    void onlyAnInsertIsNew() {
        RequestSource source = source(
                Workload.named("d")
                        .with(w -> w.mix = Mix.gets(0.3, mix -> {
                            mix.insert = 0.3;
                            mix.update = 0.4;
                        })),
                0,
                1,
                1);
        int inserts = 0;
        for (int i = 0; i < 1000; i++) {
            source.draw();
            inserts += source.isNew() ? 1 : 0;
            assertThat(source.isNew()).isEqualTo(source.key() >= 1_000_000);
        }
        assertThat(inserts).isEqualTo((int) source.inserted()).isPositive();
        source.drawPut(5);
        assertThat(source.isNew()).isFalse();
    }

    @Test
    void aPathOfTheUrlStandsBeforeThatOfTheKey() {
        Workload workload = Workload.named("get").with(w -> {
            w.keys = 1;
            w.entityPath = "/kv/{key}/x";
        });
        RequestEncoder encoder = workload.encoder(Target.parse("http://h/base/"), List.of("Host: y"), new byte[0]);
        assertThat(next(new RequestSource(workload, encoder, 0, 0, 1, 1)))
                .isEqualTo("GET /base/kv/k00000000000/x HTTP/1.1\r\nHost: y\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource({"a,0.5,0.5,0,0", "b,0.95,0.05,0,0", "c,1,0,0,0", "d,0.95,0.05,0,0", "e,0,0.05,0.95,0", "f,0.5,0,0,0.5"})
    void theCoreWorkloadsHaveTheirShares(String name, double get, double put, double scan, double rmw) {
        RequestSource source = source(Workload.named("ycsb-" + name).with(w -> w.keys = 1000), 0, 1, 9);
        Map<Operation, Integer> counts = new EnumMap<>(Operation.class);
        int draws = 40_000;
        for (int i = 0; i < draws; i++) {
            source.draw();
            counts.merge(source.operation(), 1, Integer::sum);
        }

        assertThat(counts.getOrDefault(Operation.GET, 0) / (double) draws).isCloseTo(get, within(0.01));
        assertThat(counts.getOrDefault(Operation.PUT, 0) / (double) draws).isCloseTo(put, within(0.01));
        assertThat(counts.getOrDefault(Operation.SCAN, 0) / (double) draws).isCloseTo(scan, within(0.01));
        assertThat(counts.getOrDefault(Operation.RMW, 0) / (double) draws).isCloseTo(rmw, within(0.01));
        assertThat(source.inserted() > 0).isEqualTo(name.equals("d") || name.equals("e"));
    }

    @Test
    void newKeysAreUniqueAcrossThreadsAndAfterTheExisting() {
        Set<Long> keys = new HashSet<>();
        for (int thread = 0; thread < 3; thread++) {
            RequestSource source = source(Workload.named("put").with(w -> w.keys = 50), thread, 3, 1);
            for (int i = 0; i < 100; i++) {
                source.draw();
                assertThat(keys.add(source.key())).isTrue();
                assertThat(source.key()).isGreaterThanOrEqualTo(50);
            }
        }
    }

    @Test
    void aSeedAndAThreadReproduceTheRequests() {
        Workload workload = Workload.named("a").with(w -> {
            w.keys = 1000;
            w.values = ValueSizes.parse("1-100");
        });
        StringBuilder first = new StringBuilder();
        StringBuilder second = new StringBuilder();
        StringBuilder otherThread = new StringBuilder();
        StringBuilder otherSeed = new StringBuilder();
        RequestSource a = source(workload, 0, 2, 5);
        RequestSource b = source(workload, 0, 2, 5);
        RequestSource c = source(workload, 1, 2, 5);
        RequestSource d = source(workload, 0, 2, 6);
        for (int i = 0; i < 200; i++) {
            first.append(next(a));
            second.append(next(b));
            otherThread.append(next(c));
            otherSeed.append(next(d));
        }

        assertThat(first).hasToString(second.toString());
        assertThat(otherThread.toString()).isNotEqualTo(first.toString());
        assertThat(otherSeed.toString()).isNotEqualTo(first.toString());
    }

    @Test
    void distinctKeysAreCounted() {
        RequestSource source = source(
                Workload.named("get").with(w -> {
                    w.keys = 10;
                    w.keyPlan = KeyPlan.SEQUENTIAL;
                }),
                0,
                2,
                1);
        for (int i = 0; i < 20; i++) {
            source.draw();
        }
        RequestSource other = source(
                Workload.named("get").with(w -> {
                    w.keys = 10;
                    w.keyPlan = KeyPlan.SEQUENTIAL;
                }),
                1,
                2,
                1);
        other.draw();
        DistinctKeys distinct = source.distinct();
        assertThat(distinct.count()).isEqualTo(5);
        distinct.merge(other.distinct());
        assertThat(distinct.count()).isEqualTo(6);
        assertThat(new DistinctKeys(1L << 40).count()).isEqualTo(-1);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("w.yaml"), text);
    }

    @Test
    void aFileSaysAllThatAWorkloadHas() throws IOException {
        Workload workload = WorkloadFile.read(file("""
                # a comment
                name: sessions
                mix: {get: 0.8, update: 0.1, insert: 0.05, delete: 0.02, scan: 0.02, rmw: 0.01}
                keys: 2M
                key-distribution: hot=0.1:0.9
                key-prefix: user-
                key-digits: 9
                values: 64:0.9,4KiB:0.1
                hits: 0.95
                scan-length: 7
                entity-path: /kv/{key}
                scan-path: /range/{key}?n={limit}
                """));

        assertThat(workload.name()).isEqualTo("sessions");
        assertThat(workload.mix()).isEqualTo(new Mix(0.8, 0.1, 0.05, 0.02, 0.02, 0.01));
        assertThat(workload.keys()).isEqualTo(2_000_000);
        assertThat(workload.keyPlan()).isEqualTo(new KeyPlan(KeyPlan.Law.HOT, 0.1, 0.9));
        assertThat(workload.keyText().prefix()).isEqualTo("user-");
        assertThat(workload.values().most()).isEqualTo(4096);
        assertThat(workload.hits()).isEqualTo(0.95);
        assertThat(workload.mostScanned()).isEqualTo(7);
        assertThat(workload.entityPath()).isEqualTo("/kv/{key}");
        assertThat(WorkloadFile.read(file("keys: 5\n")).name()).isEqualTo("w");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'keys: 5\nkey-distributoin: uniform\n' | ':2: unknown key ''key-distributoin'''",
                "'keys: 5\nkeys: 6\n'                   | ':2: '",
                "'mix:\n  get: 0.5\n'                   | ':2: the shares'",
                "'mix: {read: 1}\n'                     | ':1: unknown key ''read'''",
                "'\n\nhits: many\n'                     | ':3: ''hits'' must be a number'",
                "'values: 1t\n'                         | ':1: ''values'': '",
                "'keys: [1, 2]\n'                       | ':1: here must be one value'",
                "'- get\n'                              | ':1: here must be'",
                "'keys: \"5\n'                          | ':'",
                "''                                     | ': the file is empty'",
                "'keys: 0\n'                            | ': keys must be'",
                "'scan-path: /x\nmix: {scan: 1}\n'      | ': the scan path'"
            })
    void aFileThatIsWrongSaysWhere(String text, String where) throws IOException {
        Path file = file(text);
        assertThatThrownBy(() -> WorkloadFile.read(file))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith(file + where);
    }

    @Test
    void aFileThatIsNotThereIsOneLine() {
        assertThatThrownBy(() -> WorkloadFile.read(folder.resolve("none.yaml")))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("cannot read ");
    }
}
