package kvant.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import kvant.lab.experiment.Experiment.Scale;
import kvant.lab.experiment.Variant.Server;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.load.dialect.Dialect;
import kvant.load.http.Target;
import kvant.load.plan.LoadPlan;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Variants of other kinds: how they are spoken to, what they need, and which loads they get.
class PeerTest {

    private static final String TEXT = """
            name: peers
            title: Peers
            repeats: 2
            variants:
              - {name: kvant}
              - name: redis
                command: [redis-server, --port, "${port}", --cluster-port, "${port2}"]
                url: redis://127.0.0.1:${port}
                phases: [get, put]
                needs: {redis-server: redis-server, setpriv: util-linux}
                version: [redis-server, --version]
              - name: etcd
                command: [etcd, "${port}"]
                dialect: etcd
                phases: [get, scan]
            load: {rate: 100, connections: 4, duration: 2s, prefill: 100}
            phases:
              - {name: put, workload: put}
              - {name: get, workload: get}
              - {name: scan, workload: scan}
            questions:
              - {id: all, text: x, compare: [kvant, redis, etcd]}
              - {id: get, text: x, compare: [kvant, redis, etcd], phase: get}
            """;

    private static Experiment read(String text) {
        return Experiments.read("e.yaml", text, Path.of("/somewhere"), Scale.FULL);
    }

    private static LoadPlan plan(Experiment experiment, String variant, String url) {
        return experiment.phase("get").plan(Target.parse(url), experiment.variant(variant), 1);
    }

    @Test
    void eachIsSpokenToInItsDialect() {
        Experiment experiment = read(TEXT);

        assertThat(plan(experiment, "redis", "redis://127.0.0.1:1").workload().dialect())
                .isEqualTo(Dialect.RESP);
        assertThat(plan(experiment, "etcd", "http://127.0.0.1:1").workload().dialect())
                .isEqualTo(Dialect.ETCD);
        assertThat(plan(experiment, "kvant", "http://127.0.0.1:1").workload().dialect())
                .isEqualTo(Dialect.KVANT);
        Server.Peer redis = ((Server.External) experiment.variant("redis").server()).peer();
        assertThat(redis.needs()).containsEntry("setpriv", "util-linux").hasSize(2);
        assertThat(redis.version()).containsExactly("redis-server", "--version");
    }

    @Test
    void aNodeThatHasAPortForRespIsSpokenToThere() {
        String node = "- {name: kvant, phases: [put, get], serve: {resp-port: 0}}";
        Experiment resp = read(TEXT.replace("- {name: kvant}", node));
        assertThat(plan(resp, "kvant", "redis://127.0.0.1:1").workload().dialect())
                .isEqualTo(Dialect.RESP);
        assertThat(((Server.Kvant) resp.variant("kvant").server()).arguments()).containsExactly("--resp-port", "0");

        assertThat(plan(read(TEXT.replace("- {name: kvant}", node.replace("0", "false"))), "kvant", "http://h:1")
                        .workload()
                        .dialect())
                .isEqualTo(Dialect.KVANT);
        assertThatThrownBy(() -> read(TEXT.replace("- {name: kvant}", node.replace("[put, get]", "[scan]"))))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'kvant' has no ranges of keys for the phase 'scan'");
    }

    @Test
    void eachGetsItsOwnLoadsAloneAndInBothOrders() {
        assertThat(read(TEXT).plan())
                .extracting(Step::id)
                .containsExactly(
                        "01-kvant-put",
                        "01-redis-put",
                        "02-redis-put",
                        "02-kvant-put",
                        "01-kvant-get",
                        "01-redis-get",
                        "01-etcd-get",
                        "02-etcd-get",
                        "02-redis-get",
                        "02-kvant-get",
                        "01-kvant-scan",
                        "01-etcd-scan",
                        "02-etcd-scan",
                        "02-kvant-scan");
    }

    @Test
    void whoHasNoneOfTheLoadsThatAreLeftIsLeftOut() {
        Experiment scans = read(TEXT).only(List.of(), List.of("scan"));

        assertThat(scans.variants()).extracting(Variant::name).containsExactly("kvant", "etcd");
        assertThat(scans.variant("etcd").phases()).containsExactly("scan");
        assertThat(scans.questions()).extracting(Question::id).containsExactly("all");
        assertThat(scans.questions().getFirst().compare()).containsExactly("kvant", "etcd");
    }

    @Test
    void aQuestionComparesThoseThatAreLeftWithItsFirstOne() {
        Experiment two = read(TEXT).only(List.of("kvant", "redis"), List.of());
        assertThat(two.questions()).allSatisfy(one -> assertThat(one.compare()).containsExactly("kvant", "redis"));

        assertThat(read(TEXT).only(List.of("redis", "etcd"), List.of()).questions())
                .isEmpty();
    }

    @Test
    void whatWasRunIsReadBackAsTheSame() {
        Experiment experiment = read(TEXT);

        assertThat(read(ExperimentText.of(experiment))).isEqualTo(experiment);
        Experiment shipped = Shipped.find("peers").read(Scale.FULL); // with programs of several lines
        assertThat(read(ExperimentText.of(shipped)).variants()).isEqualTo(shipped.variants());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            phases: [get, put] | phases: [get, eat] | 'variants': 'eat' is not one of
            phases: [get, put] | phases: [get, scan] | 'redis' has no ranges of keys for the phase 'scan'
            phases: [get, scan] | phases: [scan] | 'etcd' does not get the phase 'get'
            dialect: etcd | dialect: memcached | 'dialect': 'memcached' is not one of kvant, static
            dialect: etcd | {dialect: etcd, entity-path: "/{key}"} | has paths of its own
            setpriv: util-linux | bin/x: y | 'bin/x' is not the name of a program
            - {name: kvant} | - {name: kvant, needs: {a: b}} | 'needs' needs a 'command'
            """)
    void aWrongPeerIsToldWhy(String right, String wrong, String expected) {
        String own = wrong.startsWith("{d") ? "dialect: etcd\n    entity-path: \"/{key}\"" : wrong;
        String text = TEXT.replaceFirst(Pattern.quote(right), own.replace("$", "\\$"));
        assertThat(text).isNotEqualTo(TEXT);

        assertThatThrownBy(() -> read(text))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(expected)
                .message()
                .hasLineCount(1);
    }
}
