package kvant.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A body that arrives at the pace of its reader. The next buffers are requested when the last ones have been read,
/// so that no more than these are held, and the node waits. A read waits at most until a deadline.
///
/// Buffers come on threads of the HTTP client; everything else belongs to the reader.
final class PacedInput extends InputStream implements BodySubscriber<Received> {

    /// An event of the HTTP client: buffers, the end, or a failure.
    private record Event(List<ByteBuffer> buffers, @Nullable Throwable failure, boolean isEnd) {}

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>(); // one list, and the end
    private final CompletableFuture<Subscription> subscription = new CompletableFuture<>();

    // The reader's.
    private List<ByteBuffer> buffers = List.of();
    private int at;
    private boolean isAsking;
    private long deadlineNanos;
    private long allowance;
    private int allowed;

    @Override
    public CompletionStage<Received> getBody() {
        return CompletableFuture.completedFuture(new Received(new byte[0], this));
    }

    @Override
    public void onSubscribe(Subscription given) {
        subscription.complete(given);
    }

    @Override
    public void onNext(List<ByteBuffer> more) {
        events.add(new Event(more, null, false));
    }

    @Override
    public void onError(Throwable failure) {
        events.add(new Event(List.of(), failure, true));
    }

    @Override
    public void onComplete() {
        events.add(new Event(List.of(), null, true));
    }

    /// Sets the limits of the following reads.
    ///
    /// @param deadline of [System#nanoTime]
    /// @param bytes beyond which reading fails
    void allow(long deadline, int bytes) {
        deadlineNanos = deadline;
        allowance = bytes;
        allowed = bytes;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        while (at == buffers.size() || !buffers.get(at).hasRemaining()) {
            if (at < buffers.size()) {
                at++;
            } else if (!take()) {
                return -1;
            }
        }
        ByteBuffer buffer = buffers.get(at);
        int count = Math.min(length, buffer.remaining());
        allowance -= count;
        if (allowance < 0) {
            throw new Received.TooLongException(allowed);
        }
        buffer.get(to, offset, count);
        return count;
    }

    /// Waits for the next buffers.
    ///
    /// @return false at the end
    private boolean take() throws IOException {
        if (!isAsking) {
            isAsking = true;
            subscription.join().request(1);
        }
        Event event;
        try {
            event = events.poll(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
        if (event == null) {
            throw new SocketTimeoutException("nothing came before the deadline");
        }
        if (event.isEnd()) {
            events.add(event); // for further reads
            if (event.failure() != null) {
                throw new IOException(event.failure().getMessage(), event.failure());
            }
            return false;
        }
        isAsking = false;
        buffers = event.buffers();
        at = 0;
        return true;
    }

    /// Lets the connection go; it is closed unless the end has been read.
    @Override
    public void close() {
        subscription.thenAccept(Subscription::cancel);
        buffers = List.of();
        at = 0;
    }
}
