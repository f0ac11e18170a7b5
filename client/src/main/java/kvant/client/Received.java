package kvant.client;

import java.io.IOException;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/// The body of an answer: whole, or as a stream.
///
/// @param bytes whole; empty for a stream
record Received(byte[] bytes, @Nullable PacedInput stream) {

    /// Most bytes of a problem document.
    private static final int MOST_PROBLEM_BYTES = 64 << 10;

    private static final int OK = 200;

    /// Bodies in memory, up to a bound.
    static BodyHandler<Received> whole(int mostBytes) {
        return head -> new Bounded(head.statusCode() == OK ? mostBytes : MOST_PROBLEM_BYTES);
    }

    /// Streams the body of a 200; other bodies are read into memory.
    static BodyHandler<Received> streamed() {
        return head -> head.statusCode() == OK ? new PacedInput() : new Bounded(MOST_PROBLEM_BYTES);
    }

    /// Collects a body, and gives it up when it is too long.
    private static final class Bounded implements BodySubscriber<Received> {

        private final BodySubscriber<byte[]> all = BodySubscribers.ofByteArray();
        private final int most;
        private long received;
        private @Nullable Subscription subscription;

        Bounded(int most) {
            this.most = most;
        }

        @Override
        public CompletionStage<Received> getBody() {
            return all.getBody().thenApply(bytes -> new Received(bytes, null));
        }

        @Override
        public void onSubscribe(Subscription given) {
            subscription = given;
            all.onSubscribe(given);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                received += buffer.remaining();
            }
            if (received <= most) {
                all.onNext(buffers);
            } else if (subscription != null) {
                subscription.cancel();
                all.onError(new TooLongException(most));
            }
        }

        @Override
        public void onError(Throwable failure) {
            all.onError(failure);
        }

        @Override
        public void onComplete() {
            all.onComplete();
        }
    }

    /// An answer is longer than the client takes; it would be as long the next time.
    static final class TooLongException extends IOException {
        private static final long serialVersionUID = 1L;

        TooLongException(int most) {
            super("the answer is longer than the " + most + " bytes that this client takes (maxAnswerBytes)");
        }
    }
}
