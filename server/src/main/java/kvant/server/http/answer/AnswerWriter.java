package kvant.server.http.answer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import kvant.server.admit.MemoryBudget;
import org.jspecify.annotations.Nullable;

/// A writer of the answers of one connection, for any protocol: in order, one at a time, and no faster than the
/// client takes them.
///
/// Small answers gather in one buffer. A large value goes out in pieces, and pauses whenever the channel has as many
/// unsent bytes as it may have. The position of the pause is the only state.
public abstract class AnswerWriter {

    /// The size at which the gathering buffer is handed over, and the size of the pieces of large values.
    private static final int PIECE_BYTES = 16 << 10;

    private static final int FIRST_BUFFER_BYTES = 1024;

    /// Most bytes of waiting answers of one connection; [#CLAIM_STEP_BYTES] of them are claimed at a time.
    private static final long MOST_WAITING_BYTES = 64 << 20;

    private static final int CLAIM_STEP_BYTES = 256 << 10;

    // Constant.
    private final Channel channel;
    private final @Nullable MemoryBudget memory;

    // Owned by the event loop.
    private @Nullable ByteBuf gathering;
    private boolean handedOver;
    private long handedBytes;
    private int valueOffset;
    private @Nullable Queue<byte[]> waiting; // for the channel, in order
    private long waitingBytes;
    private long claimedBytes;

    protected AnswerWriter(Channel channel) {
        this(channel, null);
    }

    /// @param memory for small answers to a client that keeps sending and reads nothing. They may wait beyond the
    ///     unsent bytes of the channel, so that node and client do not wait for each other
    protected AnswerWriter(Channel channel, @Nullable MemoryBudget memory) {
        this.channel = channel;
        this.memory = memory;
    }

    /// Continues an answer.
    ///
    /// @return whether its whole outcome has been written; false when there is no more room for now
    public abstract boolean write(Answer answer);

    /// Whether an answer has been begun but not finished.
    public abstract boolean inMiddle();

    /// The status of an answer that has just been written, for the access log.
    public abstract int status(Answer answer);

    /// Tells the client to send the body.
    public void writeContinue() {
        throw new IllegalStateException("no client of this protocol waits for that");
    }

    /// Whether more may be written.
    public final boolean hasRoom() {
        return isTaken() || memory != null && mayWait(memory);
    }

    /// Whether the channel takes more.
    private boolean isTaken() {
        return waiting == null && channel.isWritable();
    }

    private boolean mayWait(MemoryBudget budget) {
        long needed = waitingBytes + (gathering == null ? 0 : gathering.readableBytes()) + 2 * PIECE_BYTES;
        if (needed > claimedBytes && needed < MOST_WAITING_BYTES && budget.claim(CLAIM_STEP_BYTES, claimedBytes)) {
            claimedBytes += CLAIM_STEP_BYTES;
        }
        return needed <= claimedBytes;
    }

    /// Whether there are answers that wait for the channel.
    public final boolean hasWaiting() {
        return waiting != null;
    }

    /// Hands the waiting answers to the channel, as far as it accepts them.
    public final void resume() {
        Queue<byte[]> queue = waiting;
        if (queue == null) {
            forgetWaiting();
            return;
        }
        while (channel.isWritable()) {
            byte[] next = queue.poll();
            if (next == null) {
                forgetWaiting();
                return;
            }
            waitingBytes -= next.length;
            write(Unpooled.wrappedBuffer(next));
        }
    }

    private void forgetWaiting() {
        waiting = null;
        waitingBytes = 0;
        if (memory != null && claimedBytes > 0) {
            memory.release(claimedBytes);
            claimedBytes = 0;
        }
    }

    /// The number of bytes taken by the kernel; a piece counts when all of it is taken.
    public final long takenBytes() {
        ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
        return unsent == null ? handedBytes : handedBytes - unsent.totalPendingWriteBytes();
    }

    /// All written bytes, handed over or not.
    public final long writtenBytes() {
        return handedBytes + waitingBytes + (gathering == null ? 0 : gathering.readableBytes());
    }

    /// Hands the gathered bytes to the channel and has them sent.
    public final void flush() {
        handOver();
        while (handedOver) {
            handedOver = false;
            channel.flush();
        }
    }

    /// Releases the bytes that were not handed over; the channel is closed.
    public final void release() {
        if (gathering != null) {
            gathering.release();
            gathering = null;
        }
        forgetWaiting();
    }

    /// The offset at which the current value continues.
    protected final int offset() {
        return valueOffset;
    }

    /// The next value, or the rest of one, begins with this byte of it.
    protected final void beginAt(int offset) {
        valueOffset = offset;
    }

    /// Continues a value up to this byte of it; stops where there is no more room.
    protected final boolean pieces(byte[] value, int end) {
        while (valueOffset < end) {
            if (!(end > PIECE_BYTES ? isTaken() : hasRoom())) { // a large value is held already
                return false;
            }
            int count = Math.min(end - valueOffset, PIECE_BYTES);
            buffer().writeBytes(value, valueOffset, count);
            valueOffset += count;
            handOverPiece();
        }
        return true;
    }

    protected final void gather(byte[] bytes) {
        buffer().writeBytes(bytes);
        handOverPiece();
    }

    /// The gathering buffer. A writer of many bytes calls [#handOverPiece] in between.
    protected final ByteBuf buffer() {
        ByteBuf buffer = gathering;
        if (buffer == null) {
            buffer = channel.alloc().directBuffer(FIRST_BUFFER_BYTES);
            gathering = buffer;
        }
        return buffer;
    }

    /// Hands a full buffer over, so that the channel's water marks see it.
    protected final void handOverPiece() {
        if (gathering != null && gathering.readableBytes() >= PIECE_BYTES) {
            handOver();
        }
    }

    private void handOver() {
        ByteBuf full = gathering;
        if (full != null) {
            gathering = null;
            if (memory == null || isTaken()) {
                write(full);
            } else {
                keep(full);
            }
        }
    }

    private void write(ByteBuf bytes) {
        handedOver = true;
        handedBytes += bytes.readableBytes();
        channel.write(bytes, channel.voidPromise());
    }

    private void keep(ByteBuf bytes) {
        Queue<byte[]> queue = waiting;
        if (queue == null) {
            queue = new ArrayDeque<>();
            waiting = queue;
        }
        byte[] copy = new byte[bytes.readableBytes()]; // on the heap, where there is more room
        bytes.readBytes(copy).release();
        waitingBytes += copy.length;
        queue.add(copy);
    }
}
