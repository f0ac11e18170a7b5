package kvant.load.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import kvant.load.http.Target;
import kvant.load.keys.ValueSizes;
import kvant.load.keys.Values;
import kvant.load.loop.StopSwitch;
import kvant.load.net.Sockets;
import kvant.load.net.Trust;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.record.Failure;
import kvant.load.record.RequestCounts.Count;
import kvant.load.truth.TestKeys;
import kvant.load.truth.TestServer;
import kvant.load.workload.Workload;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers behind TLS: what is counted, and whom the generator believes.
class SecureRunTest {

    private static final Duration RUN = Duration.ofMillis(600);
    private static final Trust AUTHORITY = Trust.in(TestKeys.client());

    private static TestServer.Layer tls(SSLContext context, String protocol) {
        return accepted -> {
            SSLSocket secured =
                    (SSLSocket) context.getSocketFactory().createSocket(accepted, null, accepted.getPort(), true);
            secured.setUseClientMode(false);
            secured.setEnabledProtocols(new String[] {protocol});
            return secured;
        };
    }

    private static TestServer.Layer tls(TestKeys.Of identity) {
        return tls(TestKeys.server(identity), "TLSv1.3");
    }

    private static LoadPlan plan(TestServer server, Workload workload, int connections, Pace pace) {
        return LoadPlan.of(
                        Target.parse("https://localhost:" + server.port()),
                        workload,
                        Clients.defaults().withConnections(connections).with(c -> c.timeout = Duration.ofMinutes(1)),
                        pace.with(p -> p.drain = Duration.ofMinutes(1)))
                .with(p -> p.trust = AUTHORITY);
    }

    private static RunResult run(LoadPlan plan) {
        return LoadRun.run(plan, new StopSwitch(), Progress.SILENT);
    }

    @ParameterizedTest
    @CsvSource({"EPOLL,TLSv1.3", "EPOLL,TLSv1.2", "NIO,TLSv1.3", "NIO,TLSv1.2"})
    void aSecuredServerIsCountedExactly(Sockets.Kind transport, String protocol) throws IOException {
        SSLContext context = TestKeys.server(TestKeys.Of.LOCALHOST);
        try (TestServer server = TestServer.start(tls(context, protocol), TestServer.Exchange::ok)) {
            LoadPlan plan = plan(server, Workload.plain("GET"), 8, Pace.open(500, RUN));
            Clients clients = plan.clients().with(c -> {
                c.transport = transport;
                c.threads = 2;
            });
            RunResult result = run(plan.with(p -> p.clients = clients));

            assertThat(result.counts().due()).isEqualTo(300);
            assertThat(result.counts().statusCount(200)).isEqualTo(300).isEqualTo(server.requests());
            assertThat(result.counts().errors()).isZero();
            assertThat(result.reconnects()).isZero();
            assertThat(result.strays()).isZero();
            assertThat(result.address()).isEqualTo("127.0.0.1:" + server.port());
        }
    }

    @Test
    void longValuesGoThroughWhole() throws IOException {
        Set<Integer> lengths = ConcurrentHashMap.newKeySet();
        int most = 1 << 20;
        try (TestServer server = TestServer.start(tls(TestKeys.Of.LOCALHOST), exchange -> {
            long key = Long.parseLong(exchange.requestLine().replaceAll(".* /v0/entity\\?id=k(\\d+) HTTP/1.1", "$1"));
            if (exchange.body().length > 0) {
                boolean right = Values.matches(key, 0, exchange.body(), 0, exchange.body().length);
                lengths.add(right ? exchange.body().length : -1);
            }
            byte[] value = new byte[most];
            Values.write(key, most, value, 0);
            exchange.answer(200, value);
        })) {
            Workload both = Workload.named("a").with(w -> {
                w.keys = 4;
                w.values = ValueSizes.fixed(most);
            });
            RunResult result = run(plan(server, both, 2, Pace.open(20, RUN)).with(p -> p.verify = true));

            assertThat(lengths).containsExactly(most);
            assertThat(result.counts().errors()).isZero();
            assertThat(result.counts().of(Count.ANSWERED)).isEqualTo(12);
        }
    }

    @Test
    void aCertificateThatCannotBeTrustedIsOneLineThatSaysWhy() throws IOException {
        assertThat(refusal(TestKeys.Of.LOCALHOST, Trust.usual()))
                .contains("the certificate of localhost comes from no authority that is trusted here", "--cacert");
        assertThat(refusal(TestKeys.Of.ELSEWHERE, AUTHORITY)).contains("the certificate is not for localhost (No ");
        assertThat(refusal(TestKeys.Of.EXPIRED, AUTHORITY)).contains("the certificate of localhost has expired");
    }

    private static String refusal(TestKeys.Of identity, Trust trust) throws IOException {
        try (TestServer server = TestServer.start(tls(identity), TestServer.Exchange::ok)) {
            LoadPlan plan = plan(server, Workload.plain("GET"), 1, Pace.open(10, RUN));
            try {
                run(plan.with(p -> p.trust = trust));
                return "";
            } catch (UserException e) {
                assertThat(server.requests()).isZero();
                return String.valueOf(e.getMessage());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ELSEWHERE", "EXPIRED", "LOCALHOST"})
    void anyCertificateWillDoWhereItIsAskedFor(TestKeys.Of identity) throws IOException {
        assertThat(refusal(identity, Trust.blind())).isEmpty();
    }

    @Test
    void aServerWithoutTlsAndOneWithItAreToldApart() throws IOException {
        try (TestServer plain = TestServer.start(exchange -> exchange.raw("HTTP/1.1 400 no\r\n\r\n"))) {
            LoadPlan plan = plan(plain, Workload.plain("GET"), 1, Pace.open(10, RUN));
            plain.greet("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
            assertThatThrownBy(() -> run(plan))
                    .isInstanceOf(UserException.class)
                    .hasMessageEndingWith("the server does not speak TLS; http:// is without it");
        }
        try (TestServer secured = TestServer.start(tls(TestKeys.Of.LOCALHOST), TestServer.Exchange::ok)) {
            LoadPlan plan = LoadPlan.of(
                    Target.parse(secured.url()),
                    Workload.plain("GET"),
                    Clients.defaults().withConnections(1),
                    Pace.open(10, RUN));
            RunResult result = run(plan);

            assertThat(result.lastTrouble()).isEqualTo("the server speaks TLS: https://");
            assertThat(result.counts().failedCount(Failure.GARBAGE)).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void laterConnectionsResumeTheSessionAndNameTheHost(String protocol) throws IOException {
        Set<Long> created = ConcurrentHashMap.newKeySet();
        Set<String> names = ConcurrentHashMap.newKeySet();
        SSLContext context = TestKeys.server(TestKeys.Of.LOCALHOST);
        try (TestServer server = TestServer.start(tls(context, protocol), exchange -> {
            SSLSocket socket = (SSLSocket) exchange.socket();
            created.add(socket.getSession().getCreationTime());
            names.addAll(names(socket));
            exchange.raw("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
        })) {
            Trust own = Trust.in(TestKeys.client()); // with no sessions of other tests
            RunResult result = run(
                    plan(server, Workload.plain("GET"), 1, Pace.open(50, RUN)).with(p -> p.trust = own));

            assertThat(result.counts().of(Count.ANSWERED)).isEqualTo(30);
            assertThat(server.connections()).isGreaterThanOrEqualTo(30);
            assertThat(created).as("sessions").hasSize(1);
            assertThat(names).containsExactly("localhost");
        }
    }

    private static List<String> names(SSLSocket socket) {
        List<SNIServerName> asked = ((ExtendedSSLSession) socket.getSession()).getRequestedServerNames();
        return asked.stream().map(name -> ((SNIHostName) name).getAsciiName()).toList();
    }

    /// Its end is not known without a close_notify: an attacker that cuts the connection could shorten it.
    @Test
    void aBodyToTheEndThatIsCutOffIsNoAnswer() throws IOException {
        try (TestServer server = TestServer.start(tls(TestKeys.Of.LOCALHOST), exchange -> {
            exchange.raw("HTTP/1.1 200 OK\r\n\r\nuntil the end");
            if (exchange.number() % 2 == 0) {
                exchange.cutOff();
            } else {
                exchange.close();
            }
        })) {
            RunResult result = run(plan(server, Workload.plain("GET"), 1, Pace.open(20, RUN)));

            assertThat(result.counts().statusCount(200)).isEqualTo(6);
            assertThat(result.counts().failedCount(Failure.RESET)).isEqualTo(6);
        }
    }
}
