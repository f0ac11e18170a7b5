package kvant.bench.attack.swarm;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.function.IntConsumer;

/// A connection that follows a script, on its own thread of the swarm. Ends with an exception when the node closes it.
///
/// @param answered receives the status code of each answer
/// @param received receives the number of bytes of each read
record Member(Socket socket, Script script, HeadScanner heads, IntConsumer answered, IntConsumer received) {

    /// Pieces per second when sending or reading at a rate; a slow rate is byte by byte.
    private static final int PIECES_PER_SECOND = 10;

    /// Small, because thousands of connections hold one while they wait.
    private static final int BUFFER_BYTES = 2 << 10;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /// @throws EOFException when the node has closed the connection; another exception after a reset
    void follow() throws IOException, InterruptedException {
        int step = 0;
        while (take(script.steps().get(step))) {
            step = step + 1 < script.steps().size() ? step + 1 : script.from();
        }
    }

    /// @return whether the connection continues
    private boolean take(SwarmStep next) throws IOException, InterruptedException {
        return switch (next) {
            case SwarmStep.Send send -> send(send.bytes(), send.bytesPerSecond());
            case SwarmStep.Answer _ -> {
                awaitAnswer();
                yield true;
            }
            case SwarmStep.Read read -> readOn(read.bytesPerSecond());
            case SwarmStep.Hold _ -> readOn(0);
            case SwarmStep.Reset _ -> {
                socket.setSoLinger(true, 0);
                yield false;
            }
        };
    }

    /// @return false if the node did not wait for the rest of a slow request: a new connection starts again
    private boolean send(byte[] bytes, int rate) throws IOException, InterruptedException {
        int piece = rate == 0 ? bytes.length : piece(rate);
        for (int sent = 0; sent < bytes.length; sent += piece) {
            if (rate > 0 && socket.getInputStream().available() > 0) {
                awaitAnswer();
                return false;
            }
            int length = Math.min(piece, bytes.length - sent);
            socket.getOutputStream().write(bytes, sent, length);
            pace(length, rate);
        }
        return true;
    }

    private void awaitAnswer() throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        int status = heads.next();
        while (status == 0) {
            heads.add(buffer, receive(buffer, buffer.length));
            status = heads.next();
        }
        answered.accept(status);
    }

    /// Reads until the node closes the connection.
    private boolean readOn(int rate) throws IOException, InterruptedException {
        byte[] buffer = new byte[BUFFER_BYTES];
        while (true) {
            pace(receive(buffer, rate == 0 ? buffer.length : Math.min(buffer.length, piece(rate))), rate);
        }
    }

    private int receive(byte[] buffer, int most) throws IOException {
        InputStream in = socket.getInputStream();
        int length = in.read(buffer, 0, most);
        if (length < 0) {
            throw new EOFException();
        }
        received.accept(length);
        return length;
    }

    private static int piece(int rate) {
        return Math.max(1, rate / PIECES_PER_SECOND);
    }

    private static void pace(int bytes, int rate) throws InterruptedException {
        if (rate > 0) {
            Thread.sleep(Duration.ofNanos(bytes * NANOS_PER_SECOND / rate));
        }
    }
}
