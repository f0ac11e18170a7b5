package kvant.load.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import kvant.load.truth.TestKeys;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// TLS over a wire that takes and gives as few bytes as the test says, to an engine of a server in memory.
class SecureSocketsTest {

    private static final int INBOX = 64 << 10;
    private static final int OUTBOX = 256 << 10;
    private static final int MOST_TURNS = 1_000_000;

    /// One connection.
    private static final class Wire extends Sockets {

        private final int most;
        private final SSLEngine server = TestKeys.server(TestKeys.Of.LOCALHOST).createSSLEngine();
        private final ByteBuffer toServer = ByteBuffer.allocate(1 << 20);
        private final ByteBuffer toClient = ByteBuffer.allocate(1 << 20);
        private final ByteBuffer plain = ByteBuffer.allocate(1 << 20);
        private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
        private boolean wantsWrite = true;

        Wire(int most, String protocol) {
            super(1, INBOX, 2 * OUTBOX);
            this.most = most;
            server.setUseClientMode(false);
            server.setEnabledProtocols(new String[] {protocol});
        }

        /// Takes what came, and does what the handshake asks for.
        void serve() {
            try {
                toServer.flip();
                boolean more = true;
                while (more) {
                    switch (server.getHandshakeStatus()) {
                        case NEED_TASK -> server.getDelegatedTask().run();
                        case NEED_WRAP ->
                            more = server.wrap(ByteBuffer.allocate(0), toClient).bytesProduced() > 0;
                        default -> more = toServer.hasRemaining() && unwrap();
                    }
                }
                toServer.compact();
            } catch (SSLException e) {
                throw new AssertionError(e);
            }
        }

        private boolean unwrap() throws SSLException {
            plain.clear();
            SSLEngineResult result = server.unwrap(toServer, plain);
            heard.write(plain.array(), 0, plain.position());
            return result.getStatus() == SSLEngineResult.Status.OK;
        }

        void say(byte[] bytes) throws SSLException {
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (rest.hasRemaining()) {
                assertThat(server.wrap(rest, toClient).getStatus()).isEqualTo(SSLEngineResult.Status.OK);
            }
        }

        @Override
        public boolean connect(int slot) {
            return true;
        }

        @Override
        public boolean finishConnect(int slot) {
            wantsWrite = false;
            return true;
        }

        @Override
        public int localPort(int slot) {
            return 0;
        }

        @Override
        public int read(int slot) {
            toClient.flip();
            int length = Math.min(Math.min(most, inbox.length), toClient.remaining());
            toClient.get(inbox, 0, length);
            toClient.compact();
            return length;
        }

        @Override
        public int write(int slot, int length) {
            int taken = Math.min(most, length);
            toServer.put(outbox, 0, taken);
            serve();
            return taken;
        }

        @Override
        public void wantWrite(int slot, boolean wanted) {
            wantsWrite = wanted;
        }

        @Override
        public void close(int slot) {}

        @Override
        public int await(long nanos) {
            readyCount = 0;
            if (wantsWrite || toClient.position() > 0) {
                report(0, toClient.position() > 0, wantsWrite);
            }
            return readyCount;
        }

        @Override
        public void close() {}
    }

    private static SecureSockets connected(Wire wire) {
        Peer peer = new Peer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), "localhost", null);
        SecureSockets sockets = new SecureSockets(wire, peer, Trust.in(TestKeys.client()), 1, INBOX, OUTBOX);
        assertThat(sockets.connect(0)).isTrue();
        for (int turn = 0; sockets.await(0) == 0; turn++) {
            assertThat(turn).as("turns of a handshake").isLessThan(MOST_TURNS);
        }
        assertThat(sockets.finishConnect(0)).as(sockets.lastError()).isTrue();
        return sockets;
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static void send(SecureSockets sockets, Wire wire, byte[] message) {
        System.arraycopy(message, 0, sockets.outbox(), 0, message.length);
        wire.heard.reset();
        assertThat(sockets.write(0, message.length)).isEqualTo(message.length);
        for (int turn = 0; wire.heard.size() < message.length; turn++) {
            assertThat(turn).as("turns").isLessThan(MOST_TURNS);
            sockets.await(0);
        }
        assertThat(wire.heard.toByteArray()).isEqualTo(message);
    }

    private static void receive(SecureSockets sockets, Wire wire, byte[] message) throws SSLException {
        wire.say(message);
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        for (int turn = 0; got.size() < message.length; turn++) {
            assertThat(turn).as("turns").isLessThan(MOST_TURNS);
            if (sockets.await(0) > 0 && sockets.isReadable(0)) {
                int length = sockets.read(0);
                assertThat(length).isGreaterThanOrEqualTo(0);
                got.write(sockets.inbox(), 0, length);
            }
        }
        assertThat(got.toByteArray()).isEqualTo(message);
    }

    @ParameterizedTest
    @CsvSource({"7,TLSv1.3", "7,TLSv1.2", "1000,TLSv1.3", "16709,TLSv1.2", "10000000,TLSv1.3", "10000000,TLSv1.2"})
    void recordsMayComeAndGoInPieces(int most, String protocol) throws SSLException {
        Wire wire = new Wire(most, protocol);
        SecureSockets sockets = connected(wire);

        for (int length : new int[] {1, 5_000, 200_000, 3}) {
            send(sockets, wire, bytes(length));
            receive(sockets, wire, bytes(length + 1));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 10_000_000})
    void newKeysAreTakenAndAnswered(int most) throws SSLException {
        Wire wire = new Wire(most, "TLSv1.3");
        SecureSockets sockets = connected(wire);
        receive(sockets, wire, bytes(10));

        for (int round = 0; round < 3; round++) {
            wire.server.beginHandshake(); // of an open connection: new keys for both sides
            wire.serve();
            receive(sockets, wire, bytes(100));
            send(sockets, wire, bytes(100));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void bothSidesSayThatTheyClose(String protocol) throws SSLException {
        Wire wire = new Wire(10_000_000, protocol);
        SecureSockets sockets = connected(wire);
        send(sockets, wire, bytes(10));
        sockets.close(0);
        assertThat(wire.server.isInboundDone()).as("a close_notify came").isTrue();

        Wire other = new Wire(10_000_000, protocol);
        SecureSockets reader = connected(other);
        byte[] last = bytes(100);
        other.say(last);
        other.server.closeOutbound();
        other.serve();
        assertThat(reader.await(0)).isOne();
        assertThat(reader.read(0)).isEqualTo(last.length);
        assertThat(Arrays.copyOf(reader.inbox(), last.length)).isEqualTo(last);
        assertThat(reader.await(0)).as("the end that came with it is told").isOne();
        assertThat(reader.isReadable(0)).isTrue();
        assertThat(reader.read(0)).isEqualTo(Sockets.END);
    }
}
