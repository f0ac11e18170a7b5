package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import kvant.server.admit.MemoryReservation;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.Problem;
import org.jspecify.annotations.Nullable;

/// A reader that cuts a client's bytes into requests, for any protocol: it holds unread bytes, ends turns, and ends
/// the input.
///
///     HEAD --head without body--> HEAD
///     HEAD --head--> BODY --end of body--> HEAD
///     HEAD, BODY --last request, error, end of input--> ENDED
///
/// Owned by one event loop. Invariants:
/// - the split of the bytes over reads changes nothing;
/// - bytes held from one read to the next are claimed, by the size of their buffer, which is at most twice as large
///   as its content: a client that sends one byte does not keep its receive buffer.
public abstract class InputReader {

    /// The part of the input that is being read.
    protected enum State {
        /// Between requests, or in the head of one.
        HEAD,
        /// In the body of one.
        BODY,
        /// The last request has been read; further input is discarded.
        ENDED
    }

    /// Bounded well enough by the connections: an ordinary head in two parts is not refused for want of memory.
    private static final int UNCLAIMED_BYTES = 1024;

    private static final int LEAST_HELD_BYTES = 256; // a few more fit

    // Constant.
    private final MemoryReservation unreadClaim;
    private final int turnLines;

    // Owned by the event loop.
    private State state = State.HEAD;
    private @Nullable ByteBuf unread;
    private boolean inputEnded;
    private boolean headStarted;
    private long headTicks;
    private long nowTicks;
    private long requests;
    private int lines;

    /// @param unreadClaim for bytes that are held unread
    protected InputReader(HttpLimits limits, MemoryReservation unreadClaim) {
        this.unreadClaim = unreadClaim;
        this.turnLines = limits.turnLines();
    }

    // --- Provided by the protocol ---

    /// Whether another request may begin now.
    protected abstract boolean hasRoom();

    /// Continues in the state HEAD.
    ///
    /// @return whether there may be more to read
    protected abstract boolean head(ByteBuf in);

    /// Continues in the state BODY.
    ///
    /// @return whether there may be more to read
    protected abstract boolean body(ByteBuf in);

    /// Refuses the present request and ends, because further bytes cannot be trusted or are not wanted.
    protected abstract void fail(Problem problem);

    /// Releases the kept parts of the present request.
    protected abstract void drop();

    /// Whether a part of a request has already been consumed from the buffer while its head is awaited.
    protected abstract boolean inParts();

    /// Whether a draining node may close the connection after the newest request.
    public abstract boolean mayEnd();

    // --- For the connection ---

    /// Takes over bytes that arrived.
    public final void add(ByteBufAllocator allocator, ByteBuf in) {
        ByteBuf before = unread;
        if (before == null) {
            unread = in;
            return;
        }
        unread = null; // where there is no memory to join them, both are released
        unread = join(allocator, before, in);
    }

    public final void inputEnded() {
        inputEnded = true;
    }

    public final boolean hasUnread() {
        return unread != null;
    }

    /// Whether the reader accepts no further request.
    public final boolean isEnded() {
        return state == State.ENDED;
    }

    public final boolean isInBody() {
        return state == State.BODY;
    }

    /// Whether the client must make progress at the lowest rate of a body.
    public boolean holdsBody() {
        return isInBody();
    }

    /// Whether no bytes of an incomplete request have arrived.
    public final boolean isBetweenRequests() {
        return state == State.HEAD && unread == null && !inParts();
    }

    /// Whether a part of a head has arrived and the rest is awaited.
    public final boolean isInHead() {
        return headStarted && state == State.HEAD;
    }

    /// The number of requests read.
    public final long requests() {
        return requests;
    }

    /// The start time of the head that is being read.
    public final long headTicks() {
        return headTicks;
    }

    /// The other connections have had their turn.
    public final void beginTurn() {
        lines = 0;
    }

    /// Whether the lines of this turn are used up: the cost of reading lies in lines, whether they are headers,
    /// chunks or arguments.
    public final boolean isTurnOver() {
        return lines >= turnLines;
    }

    /// Reads as many requests as there are, and as the sink and the turn have room for.
    ///
    /// @param presentTicks for [#headTicks]
    public final void read(long presentTicks) {
        nowTicks = presentTicks;
        ByteBuf in = unread;
        boolean goesOn = true;
        while (in != null && goesOn) {
            goesOn = switch (state) {
                case HEAD -> in.isReadable() && hasRoom() && !isTurnOver() && head(in);
                case BODY -> body(in);
                case ENDED -> {
                    in.skipBytes(in.readableBytes());
                    yield false;
                }
            };
        }
        if (in != null) {
            keep(in);
        }
        if (inputEnded && state != State.ENDED && hasRoom() && !isTurnOver()) {
            cutShort();
        }
    }

    /// Releases the held memory, because other connections need it.
    public final void shed() {
        if (state != State.ENDED) {
            release();
            fail(Problem.OVERLOADED);
        }
    }

    /// The client took too long.
    public final void timeOut() {
        fail(Problem.REQUEST_TIMEOUT);
    }

    /// Accepts no further request, and releases the held bytes.
    public final void end() {
        state = State.ENDED;
        drop();
        release();
    }

    // --- For the protocol ---

    protected final void enter(State next) {
        state = next;
    }

    /// A part of a head is there, unless that was known.
    protected final void headBegins() {
        if (!headStarted) {
            headStarted = true;
            headTicks = nowTicks;
        }
    }

    /// Counts the completed request.
    protected final void requestEnds() {
        headStarted = false;
        requests++;
    }

    /// Counts lines read.
    protected final void count(int more) {
        lines += more;
    }

    /// The number of lines left before other connections get their turn.
    protected final int linesLeft() {
        return turnLines - lines;
    }

    private void release() {
        if (unread != null) {
            unread.release();
            unread = null;
        }
        unreadClaim.release();
    }

    /// Keeps what cannot be read on, and no more memory than it needs.
    private void keep(ByteBuf in) {
        if (!in.isReadable()) {
            release();
            return;
        }
        ByteBuf kept = in;
        int needed = Math.max(LEAST_HELD_BYTES, in.readableBytes());
        if (in.unwrap() != null || sizeOf(in) / 2 > needed) { // a part of a ring's buffer does not know that one's size
            kept = in.alloc().directBuffer(needed);
            kept.writeBytes(in);
            in.release();
            unread = kept;
        }
        int size = sizeOf(kept) <= UNCLAIMED_BYTES ? 0 : sizeOf(kept);
        if (!unreadClaim.resize(size)) {
            shed();
        }
    }

    private static int sizeOf(ByteBuf buffer) {
        return buffer.writerIndex() + buffer.maxFastWritableBytes();
    }

    /// Handles the end of the client's input, perhaps in the middle of a request.
    private void cutShort() {
        if (isBetweenRequests()) {
            state = State.ENDED;
        } else {
            fail(Problem.MALFORMED);
            release();
        }
    }

    /// Appends in place where there is room, and else in a buffer of twice the size, so that a long line
    /// costs its length, not its square.
    private static ByteBuf join(ByteBufAllocator allocator, ByteBuf first, ByteBuf second) {
        ByteBuf joined = first;
        try {
            if (first.maxFastWritableBytes() < second.readableBytes()) {
                int needed = first.readableBytes() + second.readableBytes();
                joined = allocator.directBuffer(Integer.highestOneBit(needed) << 1);
                joined.writeBytes(first);
                first.release();
            }
            joined.writeBytes(second);
        } catch (Throwable e) {
            joined.release();
            throw e;
        } finally {
            second.release();
        }
        return joined;
    }
}
