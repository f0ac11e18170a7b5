package kvant.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadinessTest {

    /// A server that reads a line and says one thing.
    private static ServerSocket saying(String answer) throws IOException {
        ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            try (Socket socket = listener.accept()) {
                int _ = socket.getInputStream().read(new byte[100]);
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException _) {
                // the end of the test
            }
        });
        return listener;
    }

    @ParameterizedTest
    @CsvSource({"+PONG, true", "-LOADING Redis is loading the dataset in memory, false", "+PO, false"})
    void redisIsReadyWhenItSaysPong(String answer, boolean ready) throws IOException {
        try (ServerSocket listener = saying(answer + "\r\n")) {
            assertThat(ServedProcess.answers("redis://127.0.0.1:" + listener.getLocalPort()))
                    .isEqualTo(ready);
        }
    }

    @ParameterizedTest
    @CsvSource({"200, true", "302, true", "404, false", "503, false"})
    void aServerOfHttpIsReadyBelow400(int status, boolean ready) throws IOException {
        try (ServerSocket listener = saying("HTTP/1.1 " + status + " X\r\nContent-Length: 0\r\n\r\n")) {
            assertThat(ServedProcess.answers("http://127.0.0.1:" + listener.getLocalPort() + "/"))
                    .isEqualTo(ready);
        }
    }

    @Test
    void whoIsNotThereIsNotReady() throws IOException {
        int port;
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = listener.getLocalPort();
        }
        assertThat(ServedProcess.answers("redis://127.0.0.1:" + port)).isFalse();
        assertThat(ServedProcess.answers("http://127.0.0.1:" + port + "/")).isFalse();
    }
}
