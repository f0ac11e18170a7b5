package kvant.bench.attack.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SwarmTest {

    private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody";

    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        server.setSoTimeout(60_000);
    }

    @AfterEach
    void stopListening() throws IOException {
        server.close();
    }

    private Swarm swarm(int count, Script script) throws IOException {
        return Swarm.start(new InetSocketAddress(server.getInetAddress(), server.getLocalPort()), count, script);
    }

    private Socket accept() throws IOException {
        Socket client = server.accept();
        client.setSoTimeout(60_000);
        return client;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String read(Socket client, int length) throws IOException {
        return new String(client.getInputStream().readNBytes(length), StandardCharsets.US_ASCII);
    }

    @Test
    void stepsFollowEachOtherAndAnswersAreCounted() throws IOException {
        Swarm swarm = swarm(1, Script.of(SwarmStep.send(bytes("ab")), SwarmStep.answer()));
        try (Socket client = accept()) {
            assertThat(read(client, 2)).isEqualTo("ab");
            client.getOutputStream().write(bytes(ANSWER));
            assertThat(read(client, 2)).isEqualTo("ab");
            client.getOutputStream().write(bytes("HTTP/1.1 503 Busy\r\n"));
            client.getOutputStream().write(bytes("\r\n"));
            assertThat(read(client, 2)).isEqualTo("ab");
        } finally {
            swarm.close();
        }

        assertThat(swarm.tally().statuses()).containsOnlyKeys(200, 503);
        assertThat(swarm.tally().answersBut(200)).isEqualTo(1);
        assertThat(swarm.tally().opened()).isEqualTo(1);
    }

    @Test
    void afterTheLastStepTheScriptGoesOnWhereItSays() throws IOException {
        Swarm swarm = swarm(
                1,
                Script.of(SwarmStep.send(bytes("a")), SwarmStep.sendSlowly(bytes("bc"), 1000))
                        .goingOnWith(1));
        try (Socket client = accept()) {
            assertThat(read(client, 7)).isEqualTo("abcbcbc");
        } finally {
            swarm.close();
        }
    }

    @Test
    void whoIsSentAwayComesAgain() throws IOException {
        Swarm swarm =
                swarm(1, Script.of(SwarmStep.send(bytes("a")), SwarmStep.hold()).returningAfter(Duration.ofMillis(1)));
        try {
            for (int i = 0; i < 3; i++) {
                try (Socket client = accept()) {
                    assertThat(read(client, 1)).isEqualTo("a");
                }
            }
        } finally {
            swarm.close();
        }

        assertThat(swarm.tally().ended()).isGreaterThanOrEqualTo(2);
        assertThat(swarm.tally().opened()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void anAnswerBeforeTheEndOfASlowRequestEndsIt() throws IOException {
        Swarm swarm = swarm(
                1,
                Script.of(SwarmStep.sendSlowly(bytes("x".repeat(10_000)), 20)).returningAfter(Duration.ofMillis(1)));
        try {
            try (Socket client = accept()) {
                client.getOutputStream().write(bytes(ANSWER));
                assertThat(accept().isConnected()).isTrue();
            }
        } finally {
            swarm.close();
        }

        assertThat(swarm.tally().statuses()).containsOnlyKeys(200);
    }

    @Test
    void aResetIsSeenAsOne() throws IOException {
        Swarm swarm = swarm(1, Script.of(SwarmStep.send(bytes("a")), SwarmStep.reset()));
        try (Socket client = accept()) {
            InputStream in = client.getInputStream();
            try {
                while (in.read() >= 0) {
                    // what was sent before
                }
                assertThat(in).as("an orderly end").isNull();
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("reset");
            }
        } finally {
            swarm.close();
        }
    }

    @Test
    void manyConnectionsStandAtATime() throws IOException {
        Swarm swarm = swarm(
                300, Script.of(SwarmStep.send(bytes("a")), SwarmStep.hold()).goingOnWith(1));
        try {
            Socket[] clients = new Socket[300];
            for (int i = 0; i < clients.length; i++) {
                clients[i] = accept();
            }
            for (Socket client : clients) {
                assertThat(read(client, 1)).isEqualTo("a");
                client.close();
            }
        } finally {
            swarm.close();
        }

        assertThat(swarm.tally().opened()).isGreaterThanOrEqualTo(300);
    }
}
