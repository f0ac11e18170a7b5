package kvant.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import kvant.cli.ChildNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A node in a process of its own, as systemd starts one with `Type=notify`.
class SupervisedNodeTest {

    @TempDir
    Path folder;

    @Test
    void itsManagerIsToldWhenItServesAndWhenItEnds() throws Exception {
        assumeTrue(Epoll.isAvailable());
        BlockingQueue<String> messages = new LinkedBlockingQueue<>();
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        Path socket = folder.resolve("notify");
        try {
            new Bootstrap()
                    .group(group)
                    .channel(EpollDomainDatagramChannel.class)
                    .handler(new SimpleChannelInboundHandler<DomainDatagramPacket>() {
                        @Override
                        protected void channelRead0(ChannelHandlerContext context, DomainDatagramPacket packet) {
                            messages.add(packet.content().toString(StandardCharsets.UTF_8));
                        }
                    })
                    .bind(new DomainSocketAddress(socket.toString()))
                    .sync();
            try (ChildNode node = ChildNode.run(
                    List.of("env", "NOTIFY_SOCKET=" + socket),
                    List.of("-Xmx256m"),
                    ChildNode.serveArguments(folder.resolve("data")))) {
                node.awaitReady();
                assertThat(messages.poll(30, TimeUnit.SECONDS)).isEqualTo("READY=1\nSTATUS=listening on " + node.url());

                assertThat(node.stop()).isZero();
                assertThat(messages.poll(30, TimeUnit.SECONDS)).startsWith("STOPPING=1\n");
            }
        } finally {
            group.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
        }
    }
}
