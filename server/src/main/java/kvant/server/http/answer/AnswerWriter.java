package kvant.server.http.answer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import kvant.server.admit.MemoryBudget;
import org.jspecify.annotations.Nullable;

/// Turns the answers of one connection into bytes, in order, one at a time, and no faster than the client takes them,
/// whatever protocol says how they look.
///
/// Small answers gather in one buffer; a large value goes out in pieces, and stops whenever the channel has
/// as much unsent as it may have. The place where it stopped is all the state there is.
public abstract class AnswerWriter {

    /// How large the gathering buffer grows before it is handed over, and the pieces of large values.
    private static final int PIECE_BYTES = 16 << 10;

    private static final int FIRST_BUFFER_BYTES = 1024;

    /// What may wait of one connection, and how much of it is claimed at a time.
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

    /// @param memory for small answers that wait for a client that sends on and reads nothing: beyond what the channel
    ///     may have unsent, so that both do not wait for each other
    protected AnswerWriter(Channel channel, @Nullable MemoryBudget memory) {
        this.channel = channel;
        this.memory = memory;
    }

    /// Goes on with an answer.
    ///
    /// @return whether all of its outcome has been written; if not, there is no more room for now
    public abstract boolean write(Answer answer);

    /// Whether an answer has been begun and not finished.
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

    /// Hands to the channel what waits for it, as far as it takes that.
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

    /// How many bytes the kernel has taken; a piece counts when all of it is taken.
    public final long takenBytes() {
        ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
        return unsent == null ? handedBytes : handedBytes - unsent.totalPendingWriteBytes();
    }

    /// All that was written, handed over or not.
    public final long writtenBytes() {
        return handedBytes + waitingBytes + (gathering == null ? 0 : gathering.readableBytes());
    }

    /// Hands what was gathered to the channel and has it sent.
    public final void flush() {
        handOver();
        while (handedOver) {
            handedOver = false;
            channel.flush();
        }
    }

    /// Lets go of what was not handed over; the channel is closed.
    public final void release() {
        if (gathering != null) {
            gathering.release();
            gathering = null;
        }
        forgetWaiting();
    }

    /// Where the value that is being written goes on.
    protected final int offset() {
        return valueOffset;
    }

    /// The next value, or the rest of one, begins with this byte of it.
    protected final void beginAt(int offset) {
        valueOffset = offset;
    }

    /// Goes on with a value up to a byte of it; stops where there is no more room.
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

    /// What is gathered in; whoever writes much to it calls [#handOverPiece] in between.
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
