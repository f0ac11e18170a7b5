package kvant.server.http.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/// Bounds the records of TLS that bring a connection nothing, such as changes of keys: each has a cost for its event
/// loop and may have an answer, which waits in memory for a client that does not read.
///
///     socket --> RecordMeter --> SslHandler --> Guard --> connection
///                     ^---- what a record held ---'
///
/// A client changes its keys after gigabytes, and shakes hands with some ten records, so that no usual one comes near
/// the bound in the life of a connection. How much a record holds does not matter: some clients fill them
/// up. What comes before the end of the handshake counts, and is judged only then: records with data may wait for that
/// end.
///
/// Owned by the event loop of its channel.
final class RecordMeter extends ChannelInboundHandlerAdapter {

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
    private boolean secured;
    private boolean over;

    /// @param onFlood told once
    RecordMeter(Runnable onFlood) {
        this.onFlood = onFlood;
    }

    /// The handshake has come to its end.
    void secured() {
        secured = true;
    }

    /// A record had data.
    void carried() {
        withData++;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        count((ByteBuf) message);
        ctx.fireChannelRead(message);
        if (secured && !over && !ctx.isRemoved() && records - withData > MOST_WITHOUT_DATA) {
            over = true;
            onFlood.run();
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
