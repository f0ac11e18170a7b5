package kvant.server.http.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/// A bound on TLS records without application data, such as key updates: each costs its event loop time and may cause
/// an answer, which waits in memory for a client that does not read.
///
///     socket --> RecordMeter --> SslHandler --> Guard --> connection
///                     ^---- what a record held ---'
///
/// A client changes its keys after gigabytes, and a handshake has some ten records, so that no ordinary one comes
/// near the bound during a connection. The length of a record does not matter: some clients pad them. Records before
/// the end of the handshake count, but are checked only then: records with data may wait for that end.
///
/// Records that arrive during the cryptography of a handshake wait in the handler. Nothing is read beyond a bound
/// that no handshake needs.
///
/// Owned by the event loop of its channel.
final class RecordMeter extends ChannelDuplexHandler {

    /// Read before the end of the handshake. The engine of the JDK takes messages of 32 KiB, of which a client sends
    /// four.
    static final int MOST_BEFORE_SECURED = 128 << 10;

    /// Records without data in the life of a connection.
    static final int MOST_WITHOUT_DATA = 1024;

    /// A type, two bytes of a version, two of a length (RFC 8446, section 5.1).
    private static final int HEAD_BYTES = 5;

    private static final int LENGTH_OFFSET = 3;

    private final Runnable onFlood;

    private int headBytes;
    private int length;
    private int restBytes;
    private long records;
    private long withData;
    private long readBytes;
    private boolean secured;
    private boolean paused;
    private boolean over;
    private @Nullable ChannelHandlerContext context;

    /// @param onFlood called once
    RecordMeter(Runnable onFlood) {
        this.onFlood = onFlood;
    }

    /// Handles the end of the handshake.
    void secured() {
        secured = true;
        resume();
    }

    /// Reports a record with data.
    void carried() {
        withData++;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        count(in);
        readBytes += in.readableBytes();
        if (!secured && readBytes > MOST_BEFORE_SECURED) {
            paused = true;
            ctx.channel().config().setAutoRead(false);
        }
        ctx.fireChannelRead(message);
        if (secured && !over && !ctx.isRemoved() && records - withData > MOST_WITHOUT_DATA) {
            over = true;
            onFlood.run();
        }
    }

    /// The TLS handler also reads while reading is not wanted: during the handshake, and for the rest of a record.
    @Override
    public void read(ChannelHandlerContext ctx) {
        if (!paused && ctx.channel().config().isAutoRead()) {
            ctx.read();
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        resume();
    }

    private void resume() {
        if (paused && context != null) {
            paused = false;
            context.channel().config().setAutoRead(true);
            context.channel().read(); // also where a read was requested meanwhile, without effect
        }
    }

    private void count(ByteBuf in) {
        int at = in.readerIndex();
        int end = in.writerIndex();
        while (at < end) {
            if (headBytes < HEAD_BYTES) {
                if (headBytes >= LENGTH_OFFSET) {
                    length = length << Byte.SIZE | in.getUnsignedByte(at);
                }
                headBytes++;
                at++;
                restBytes = length;
            } else {
                int part = Math.min(restBytes, end - at);
                at += part;
                restBytes -= part;
            }
            if (headBytes == HEAD_BYTES && restBytes == 0) {
                records++;
                headBytes = 0;
                length = 0;
            }
        }
    }
}
