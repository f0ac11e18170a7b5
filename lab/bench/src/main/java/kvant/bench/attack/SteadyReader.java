package kvant.bench.attack;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.List;

/// Reads a long value slowly and steadily, and must not be disconnected. The kernel accepts megabytes from the node at
/// once, so the node sees progress only occasionally.
final class SteadyReader implements Assault {

    private static final int VALUE_BYTES = 12 << 20;
    private static final int BYTES_PER_PIECE = 4 << 10;
    private static final double SECONDS_PER_PIECE = 0.1;
    private static final int KERNEL_BYTES = 4 << 20;
    private static final int PATIENCE_MILLIS = 60_000;

    private volatile String complaint = "";

    @Override
    public void prepare(Scene scene) throws IOException {
        byte[] value = new byte[VALUE_BYTES];
        for (int i = 0; i < value.length; i++) {
            value[i] = expected(i);
        }
        String _ = scene.put("steady", value);
    }

    private static byte expected(int at) {
        return (byte) (at >> 8 ^ at);
    }

    @Override
    public void begin(Scene scene) {
        complaint = "";
        Thread reader = Thread.ofPlatform().daemon().name("steady-reader").start(() -> read(scene));
        scene.keep(reader::join);
    }

    private void read(Scene scene) {
        try (Socket client = new Socket()) {
            client.setReceiveBufferSize(KERNEL_BYTES);
            client.connect(scene.node().target().address(), PATIENCE_MILLIS);
            client.setSoTimeout(PATIENCE_MILLIS);
            client.getOutputStream().write(Requests.head("GET /v0/entity?id=steady"));
            InputStream in = client.getInputStream();
            skipHead(in);
            int read = 0;
            while (read < VALUE_BYTES && !scene.awaitOver(SECONDS_PER_PIECE)) {
                byte[] piece = in.readNBytes(Math.min(BYTES_PER_PIECE, VALUE_BYTES - read));
                check(piece, read);
                read += piece.length;
            }
        } catch (IOException e) {
            complaint = "the reader was cut off: " + e.getMessage();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void skipHead(InputStream in) throws IOException {
        int last = 0;
        while (last != 0x0D0A0D0A) { // two line ends
            int next = in.read();
            if (next < 0) {
                throw new IOException("no answer");
            }
            last = last << 8 | next;
        }
    }

    private static void check(byte[] piece, int at) throws IOException {
        if (piece.length == 0) {
            throw new IOException("after " + at + " bytes");
        }
        for (int i = 0; i < piece.length; i++) {
            if (piece[i] != expected(at + i)) {
                throw new IOException("a wrong byte at " + (at + i));
            }
        }
    }

    @Override
    public List<String> complaints(Scene scene) {
        return complaint.isEmpty() ? List.of() : List.of(complaint);
    }
}
