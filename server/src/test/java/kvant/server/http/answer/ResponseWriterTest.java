package kvant.server.http.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import kvant.server.http.answer.Answer.AnswerForm;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.http.contract.Problem;
import kvant.server.request.Outcome;
import kvant.server.request.RequestTrace;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Connections of one loop, which share the scratch of their heads.
class ResponseWriterTest {

    /// More heads than the scratch could hold.
    private static final int MANY = 100;

    private final HeadScratch scratch = new HeadScratch(InstantSource.system());

    @Test
    void aHeadThatGotNoBufferGoesToNoOtherClient() {
        EmbeddedChannel first = new EmbeddedChannel();
        first.config().setAllocator(new NoMemory());
        ResponseWriter without = writer(first);
        for (int i = 0; i < MANY; i++) {
            assertThatThrownBy(() -> without.write(new Given(null, new Outcome.Stored(1))))
                    .isInstanceOf(OutOfMemoryError.class);
        }
        EmbeddedChannel second = new EmbeddedChannel();
        ResponseWriter next = writer(second);

        next.write(new Given(Problem.OVERLOADED, null));
        next.flush();

        ByteBuf sent = second.readOutbound();
        assertThat(sent.toString(StandardCharsets.US_ASCII))
                .startsWith("HTTP/1.1 503 ")
                .doesNotContain("HTTP/1.1 2");
        sent.release();
        first.finishAndReleaseAll();
        second.finishAndReleaseAll();
    }

    private ResponseWriter writer(EmbeddedChannel channel) {
        return new ResponseWriter(channel, scratch, new HiddenPaths(List.of()));
    }

    /// As where the memory outside of the heap is used up.
    private static final class NoMemory extends AbstractByteBufAllocator {

        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            return UnpooledByteBufAllocator.DEFAULT.heapBuffer(initialCapacity, maxCapacity);
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            throw new OutOfMemoryError("none is left");
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }

    /// The answer to a plain request.
    private record Given(
            @Nullable Problem problem, @Nullable Outcome outcome) implements Answer {

        @Override
        public byte[] corsLines() {
            return new byte[0];
        }

        @Override
        public RequestTrace trace() {
            return RequestTrace.NONE;
        }

        @Override
        public RequestTrace named() {
            throw new IllegalStateException("nobody looks for it");
        }

        @Override
        public AnswerForm form() {
            return AnswerForm.PLAIN;
        }

        @Override
        public boolean closes() {
            return false;
        }

        @Override
        public void close() {
            throw new IllegalStateException("it stays open");
        }

        @Override
        public void markCutOff() {
            throw new IllegalStateException("it is whole");
        }
    }
}
