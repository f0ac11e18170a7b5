package kvant.lab.run;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import kvant.load.http.Target;

/// Whether a server answers: HTTP below 400, or `PONG` where it speaks the protocol of Redis.
final class Readiness {

    private static final int ASK_MILLIS = 1000;
    private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PONG = "+PONG\r\n".getBytes(StandardCharsets.US_ASCII);

    private Readiness() {}

    static boolean of(String url) {
        try {
            return url.startsWith(Target.REDIS + ":") ? pong(Target.parse(url).address()) : answers(url);
        } catch (IOException _) {
            return false; // not yet
        }
    }

    private static boolean answers(String url) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(url).toURL().openConnection();
        try {
            connection.setConnectTimeout(ASK_MILLIS);
            connection.setReadTimeout(ASK_MILLIS);
            return connection.getResponseCode() < HttpURLConnection.HTTP_BAD_REQUEST;
        } finally {
            connection.disconnect();
        }
    }

    private static boolean pong(InetSocketAddress address) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(address, ASK_MILLIS);
            socket.setSoTimeout(ASK_MILLIS);
            socket.getOutputStream().write(PING);
            return Arrays.equals(socket.getInputStream().readNBytes(PONG.length), PONG);
        }
    }
}
