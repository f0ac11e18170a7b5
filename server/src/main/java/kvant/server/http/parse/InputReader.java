package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import kvant.server.admit.MemoryReservation;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.Problem;
import org.jspecify.annotations.Nullable;

/// The bytes of one client on their way to requests, whatever protocol cuts them: what is held of them, whose turn it
/// is, and how it ends.
///
///     HEAD --head without body--> HEAD
///     HEAD --head--> BODY --end of body--> HEAD
///     HEAD, BODY --last request, error, end of input--> ENDED
///
/// Owned by one event loop. Invariants:
/// - how the bytes were split over reads changes nothing;
/// - what is held from one read to the next is claimed, by the size of its buffer, and that is at most twice
///   as large as what is in it: a client that sends one byte does not keep the buffer that it was received in.
public abstract class InputReader {

    /// What is being read.
    protected enum State {
        /// Between requests, or in the head of one.
        HEAD,
        /// In the body of one.
        BODY,
        /// The last request has been read; what follows is thrown away.
        ENDED
    }

    /// The smallest buffer for what is held, so that a few bytes have room for a few more.
    private static final int LEAST_HELD_BYTES = 256;

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

    /// @param unreadClaim for what is held unread
    protected InputReader(HttpLimits limits, MemoryReservation unreadClaim) {
        this.unreadClaim = unreadClaim;
        this.turnLines = limits.turnLines();
    }

    // --- What a protocol is ---

    /// Whether another request may begin now.
    protected abstract boolean hasRoom();

    /// Goes on in the state HEAD.
    ///
    /// @return whether there may be more to read
    protected abstract boolean head(ByteBuf in);

    /// Goes on in the state BODY.
    ///
    /// @return whether there may be more to read
    protected abstract boolean body(ByteBuf in);

    /// Nothing that follows can be trusted, or is wanted: refuses what is being read and ends.
    protected abstract void fail(Problem problem);

    /// Lets go of what was kept of the request that is being read.
    protected abstract void drop();

    /// Whether a part of a request was taken from the buffer while its head is awaited.
    protected abstract boolean inParts();

    /// Whether the connection may end with the newest request that was handed over, where the node drains.
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

    /// No more bytes will arrive.
    public final void inputEnded() {
        inputEnded = true;
    }

    public final boolean hasUnread() {
        return unread != null;
    }

    /// Whether no further request is taken.
    public final boolean isEnded() {
        return state == State.ENDED;
    }

    public final boolean isInBody() {
        return state == State.BODY;
    }

    /// Whether the client has to get on with what it is sending, at the lowest rate of a body.
    public boolean holdsBody() {
        return isInBody();
    }

    /// Whether nothing of a request has arrived that has not been handed over.
    public final boolean isBetweenRequests() {
        return state == State.HEAD && unread == null && !inParts();
    }

    /// Whether a part of a head has arrived and the rest is awaited.
    public final boolean isInHead() {
        return headStarted && state == State.HEAD;
    }

    /// How many requests have been read.
    public final long requests() {
        return requests;
    }

    /// When the head that is being read began.
    public final long headTicks() {
        return headTicks;
    }

    /// The other connections have had their turn.
    public final void beginTurn() {
        lines = 0;
    }

    /// Whether as many lines were read since then as others may wait for: the work of reading lies in lines, whether
    /// they are headers, chunks or arguments.
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

    /// The memory that is held is needed by others.
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

    /// Takes no further request, and lets go of what it holds.
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

    /// The request that was begun is complete.
    protected final void requestEnds() {
        headStarted = false;
        requests++;
    }

    /// So many lines were read.
    protected final void count(int more) {
        lines += more;
    }

    /// How many lines may be read before others get their turn.
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
        if (sizeOf(in) / 2 > needed) {
            kept = in.alloc().directBuffer(needed);
            kept.writeBytes(in);
            in.release();
            unread = kept;
        }
        if (!unreadClaim.resize(sizeOf(kept))) {
            shed();
        }
    }

    /// All the memory of a buffer, as far as it can be known.
    private static int sizeOf(ByteBuf buffer) {
        return buffer.writerIndex() + buffer.maxFastWritableBytes();
    }

    /// The client has ended its input, perhaps in the middle of a request.
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
