package kvant.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.server.MemoryEngine;
import org.junit.jupiter.api.Test;

class LoopContextTest {

    /// As with io_uring, which reads for as long as there is anything to read before the loop runs tasks.
    @Test
    void finishedWorkArrivesWhileTheLoopReads() {
        try (EmbeddedNode node = new EmbeddedNode(MemoryEngine.inline())) {
            AtomicInteger arrived = new AtomicInteger();
            node.mailbox.deliver(arrived::incrementAndGet);
            assertThat(arrived).as("by a task that has not run").hasValue(0);
            // Not through the channel, which runs tasks whenever it is to read or write.
            ChannelHandlerContext context = node.channel.pipeline().context(Connection.class);
            Connection connection = (Connection) context.handler();
            for (int reads = 0; reads < 64; reads++) {
                connection.channelRead(context, Unpooled.directBuffer().writeByte('G'));
                connection.channelReadComplete(context);
            }
            assertThat(arrived).hasValue(1);
            node.channel.runPendingTasks();
            assertThat(arrived).hasValue(1);
        }
    }
}
