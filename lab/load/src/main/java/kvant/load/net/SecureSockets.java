package kvant.load.net;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/// TLS 1.3 and 1.2 over other sockets, by the engine of the JDK, on the thread of the loop.
///
///     CLOSED -> CONNECTING -> SHAKING -> SHAKEN -> OPEN
///                          \-> FAILED (also from SHAKING)
///
/// A handshake is part of connecting: it proceeds within [#await], and the slot is reported when it is complete, like a
/// slot without TLS when connected. Partial records, and records that the socket did not accept, wait in the [Link] of
/// their slot.
///
/// Owned by the thread of the loop.
final class SecureSockets extends Sockets {

    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final byte[] NO_BYTES = new byte[0];

    private enum Phase {
        CLOSED,
        CONNECTING,
        SHAKING,
        SHAKEN,
        FAILED,
        OPEN
    }

    /// One connection.
    private static final class Link {

        Phase phase = Phase.CLOSED;

        @Nullable
        SSLEngine engine;

        String trouble = "";
        boolean wantsWrite;
        boolean ended; // by a close_notify alert
        boolean owing;
        byte[] kept = NO_BYTES; // of a partial record
        int keptLength;
        byte[] unsent = NO_BYTES; // records
        int unsentLength;

        SSLEngine engine() {
            return Objects.requireNonNull(engine);
        }

        void forget() {
            phase = Phase.CLOSED;
            engine = null;
            wantsWrite = false;
            ended = false;
            owing = false;
            keptLength = 0;
            unsentLength = 0;
        }
    }

    // Constant.
    private final Sockets below;
    private final SSLContext context;
    private final Peer peer;
    private final boolean checksNames;
    private final int packetBytes;
    private final ByteBuffer plainIn;
    private final ByteBuffer plainOut;
    private final ByteBuffer recordsIn;
    private final ByteBuffer recordsOut; // on top of the outbox below

    // Owned by the loop.
    private final Link[] links;
    private final int[] owed; // slots with readable data that the system does not report
    private int owedCount;

    /// @param below whose outbox has room for the records of one of `outboxBytes`
    SecureSockets(Sockets below, Peer peer, Trust trust, int slots, int inboxBytes, int outboxBytes) {
        // Room for a read, a kept partial record, and one more record: data that was read never has to wait.
        super(3 * slots, inboxBytes + 2 * packetBytes(trust), outboxBytes);
        this.below = below;
        this.context = trust.context();
        this.peer = peer;
        this.checksNames = trust.checksNames();
        this.packetBytes = packetBytes(trust);
        plainIn = ByteBuffer.wrap(inbox);
        plainOut = ByteBuffer.wrap(outbox);
        recordsIn = ByteBuffer.allocate(inboxBytes + packetBytes);
        recordsOut = ByteBuffer.wrap(below.outbox);
        links = new Link[slots];
        Arrays.setAll(links, _ -> new Link());
        owed = new int[2 * slots];
    }

    private static int packetBytes(Trust trust) {
        return trust.context().createSSLEngine().getSession().getPacketBufferSize();
    }

    /// Maximum length of the TLS records for an outbox of this many plain bytes.
    static int recordBytes(Trust trust, int outboxBytes) {
        return outboxBytes + outboxBytes / 16 + 2 * packetBytes(trust);
    }

    // --- connecting ------------------------------------------------------------------------------------------------

    @Override
    public boolean connect(int slot) {
        links[slot].forget();
        links[slot].phase = Phase.CONNECTING;
        return below.connect(slot) || failed(below.lastError());
    }

    /// Reports a slot only when its handshake is complete.
    @Override
    public boolean finishConnect(int slot) {
        Link link = links[slot];
        if (link.phase != Phase.SHAKEN) {
            return failed(link.trouble);
        }
        link.phase = Phase.OPEN;
        if (link.keptLength > 0) {
            owe(slot); // data that followed the handshake
        }
        return true;
    }

    private void connected(int slot, Link link) {
        if (!below.finishConnect(slot)) {
            fail(link, below.lastError());
            return;
        }
        SSLEngine engine = context.createSSLEngine(peer.host(), peer.address().getPort());
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(PROTOCOLS);
        if (checksNames) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        if (!peer.host().matches("[0-9.]+|.*:.*")) { // SNI of the JDK does not accept names without a dot
            parameters.setServerNames(List.of(new SNIHostName(peer.host())));
        }
        engine.setSSLParameters(parameters);
        link.engine = engine;
        link.phase = Phase.SHAKING;
        try {
            engine.beginHandshake();
            shake(slot, link, false);
        } catch (SSLException e) {
            fail(link, TlsTrouble.explain(e, peer.host()));
        }
    }

    /// Advances a handshake as far as possible.
    private void shake(int slot, Link link, boolean mayRead) {
        try {
            int got = mayRead ? fill(slot, link) : fillFromKept(link);
            if (got == END) {
                fail(link, TlsTrouble.CLOSED_WITHIN);
            } else if (got == BROKEN) {
                fail(link, below.lastError());
            }
            boolean advances = link.phase == Phase.SHAKING && flush(slot, link);
            while (advances && link.phase == Phase.SHAKING && link.unsentLength == 0) {
                advances = step(slot, link, link.engine());
            }
            keep(link);
        } catch (SSLException e) {
            fail(link, TlsTrouble.explain(e, peer.host()));
            sendRest(slot, link); // the alert states the cause
        }
    }

    /// @return false if the next step needs more of the server's records
    private boolean step(int slot, Link link, SSLEngine engine) throws SSLException {
        switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> runTasks(engine);
            case NEED_WRAP -> {
                recordsOut.clear();
                engine.wrap(NOTHING, recordsOut);
                if (!send(slot, link)) {
                    fail(link, below.lastError());
                }
            }
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                plainIn.clear();
                SSLEngineResult.Status status =
                        engine.unwrap(recordsIn, plainIn).getStatus();
                if (status == SSLEngineResult.Status.CLOSED) {
                    fail(link, TlsTrouble.CLOSED_WITHIN);
                }
                return status != SSLEngineResult.Status.BUFFER_UNDERFLOW;
            }
            case FINISHED, NOT_HANDSHAKING -> link.phase = Phase.SHAKEN;
        }
        return true;
    }

    private static void runTasks(SSLEngine engine) {
        for (@Nullable Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    private static void fail(Link link, String why) {
        link.phase = Phase.FAILED;
        link.trouble = why;
    }

    @Override
    public int localPort(int slot) {
        return below.localPort(slot);
    }

    // --- reading ---------------------------------------------------------------------------------------------------

    /// Moves kept and newly read bytes into the buffer of records.
    private int fill(int slot, Link link) {
        fillFromKept(link);
        if (recordsIn.limit() > packetBytes) {
            return WOULD_BLOCK; // enough for now; the rest is reported again
        }
        int got = below.read(slot);
        if (got > 0) {
            recordsIn.limit(recordsIn.limit() + got).put(recordsIn.limit() - got, below.inbox, 0, got);
        }
        return got;
    }

    private int fillFromKept(Link link) {
        recordsIn.clear().put(link.kept, 0, link.keptLength).flip();
        link.keptLength = 0;
        return WOULD_BLOCK;
    }

    private void keep(Link link) {
        int rest = recordsIn.remaining();
        if (rest > link.kept.length) {
            link.kept = new byte[Math.max(rest, packetBytes)];
        }
        recordsIn.get(link.kept, 0, rest);
        link.keptLength = rest;
    }

    @Override
    public int read(int slot) {
        Link link = links[slot];
        if (link.ended) {
            return END;
        }
        int got = fill(slot, link);
        try {
            unwrap(slot, link);
        } catch (SSLException e) {
            return broken(TlsTrouble.explain(e, peer.host()));
        }
        keep(link);
        int length = plainIn.position();
        if (length > 0) {
            if (link.ended || got < 0) {
                owe(slot); // the end of the stream came with it
            }
            return length;
        }
        if (link.ended) {
            return END;
        }
        return switch (got) {
            case END -> broken(TlsTrouble.CUT_OFF);
            case BROKEN -> broken(below.lastError());
            default -> WOULD_BLOCK;
        };
    }

    private void unwrap(int slot, Link link) throws SSLException {
        SSLEngine engine = link.engine();
        plainIn.clear();
        while (recordsIn.hasRemaining()) {
            SSLEngineResult result = engine.unwrap(recordsIn, plainIn);
            switch (result.getStatus()) {
                case OK -> afterwards(slot, link, result.getHandshakeStatus());
                case BUFFER_UNDERFLOW -> {
                    return;
                }
                case BUFFER_OVERFLOW -> {
                    owe(slot);
                    return;
                }
                case CLOSED -> {
                    link.ended = true;
                    return;
                }
            }
        }
    }

    /// Handles session tickets and key updates on an open connection.
    private void afterwards(int slot, Link link, SSLEngineResult.HandshakeStatus status) throws SSLException {
        switch (status) {
            case NEED_TASK -> runTasks(link.engine());
            case NEED_WRAP -> {
                if (link.unsentLength == 0) {
                    sendRest(slot, link); // otherwise sent with the next write
                }
            }
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN, FINISHED, NOT_HANDSHAKING -> {}
        }
    }

    private void owe(int slot) {
        if (!links[slot].owing) {
            links[slot].owing = true;
            owed[owedCount++] = slot;
        }
    }

    // --- writing ---------------------------------------------------------------------------------------------------

    @Override
    public int write(int slot, int length) {
        Link link = links[slot];
        if (link.unsentLength > 0) {
            return WOULD_BLOCK;
        }
        plainOut.clear().limit(length);
        recordsOut.clear();
        try {
            while (plainOut.hasRemaining() && recordsOut.remaining() >= packetBytes) {
                SSLEngineResult result = link.engine().wrap(plainOut, recordsOut);
                if (result.getStatus() != SSLEngineResult.Status.OK || result.bytesProduced() == 0) {
                    return broken("TLS takes no more bytes");
                }
            }
        } catch (SSLException e) {
            return broken(TlsTrouble.explain(e, peer.host()));
        }
        return send(slot, link) ? plainOut.position() : BROKEN;
    }

    /// Sends encrypted records, and keeps those that the socket does not accept.
    private boolean send(int slot, Link link) {
        int length = recordsOut.position();
        int taken = length == 0 ? 0 : below.write(slot, length);
        if (taken < 0) {
            return failed(below.lastError());
        }
        stash(link, taken, length);
        if (link.unsentLength > 0) {
            below.wantWrite(slot, true);
        }
        return true;
    }

    private void stash(Link link, int from, int to) {
        if (to - from > link.unsent.length) {
            link.unsent = new byte[to - from];
        }
        System.arraycopy(below.outbox, from, link.unsent, 0, to - from);
        link.unsentLength = to - from;
    }

    /// @return true if nothing is left
    private boolean flush(int slot, Link link) {
        if (link.unsentLength == 0) {
            return true;
        }
        int length = link.unsentLength;
        System.arraycopy(link.unsent, 0, below.outbox, 0, length);
        int taken = below.write(slot, length);
        if (taken < 0) {
            return false; // the next read reports the cause
        }
        stash(link, taken, length);
        if (link.unsentLength == 0) {
            below.wantWrite(slot, link.wantsWrite);
        }
        return link.unsentLength == 0;
    }

    /// Sends messages generated by the TLS engine: an alert, a close_notify, key updates.
    private void sendRest(int slot, Link link) {
        recordsOut.clear();
        try {
            link.engine().wrap(NOTHING, recordsOut);
        } catch (SSLException e) {
            failed(TlsTrouble.explain(e, peer.host()));
        }
        send(slot, link);
    }

    @Override
    public void wantWrite(int slot, boolean wanted) {
        links[slot].wantsWrite = wanted;
        below.wantWrite(slot, wanted || links[slot].unsentLength > 0);
    }

    @Override
    public void close(int slot) {
        Link link = links[slot];
        if ((link.phase == Phase.OPEN || link.phase == Phase.SHAKEN) && link.unsentLength == 0) {
            link.engine().closeOutbound();
            sendRest(slot, link);
        }
        link.forget();
        below.close(slot);
    }

    // --- waiting ---------------------------------------------------------------------------------------------------

    @Override
    public int await(long nanos) {
        readyCount = 0;
        int count = below.await(owedCount > 0 ? 0 : nanos);
        for (int i = 0; i < owedCount; i++) {
            Link link = links[owed[i]];
            if (link.owing && link.phase == Phase.OPEN) {
                report(owed[i], true, false);
            }
            link.owing = false;
        }
        owedCount = 0;
        for (int i = 0; i < count; i++) {
            advance(below.readySlot(i), below.isReadable(i), below.isWritable(i));
        }
        return readyCount;
    }

    private void advance(int slot, boolean mayRead, boolean mayWrite) {
        Link link = links[slot];
        switch (link.phase) {
            case CONNECTING -> connected(slot, link);
            case SHAKING -> shake(slot, link, mayRead);
            case OPEN -> {
                boolean flushed = !mayWrite || flush(slot, link);
                if (mayRead || (mayWrite && flushed && link.wantsWrite)) {
                    report(slot, mayRead, mayWrite && flushed);
                }
                return;
            }
            case CLOSED, SHAKEN, FAILED -> {}
        }
        if (link.phase == Phase.SHAKEN || link.phase == Phase.FAILED) {
            report(slot, false, true);
        }
    }

    @Override
    public void close() {
        for (int slot = 0; slot < links.length; slot++) {
            close(slot);
        }
        below.close();
    }
}
