package kvant.server.supervise;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
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
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import kvant.server.KeptLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Messages of a node, as the socket of a service manager receives them.
class ServiceManagerTest {

    @TempDir
    Path folder;

    private final KeptLog kept = new KeptLog();
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());

    @BeforeEach
    void needEpoll() {
        assumeTrue(Epoll.isAvailable());
    }

    @AfterEach
    void stop() {
        group.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void isToldThatTheNodeServesAndThatItEnds() throws Exception {
        String socket = folder.resolve("notify").toString();
        listen(socket);
        ServiceManager manager = manager(socket);

        manager.ready("listening on http://127.0.0.1:8080");
        manager.stopping();

        assertThat(next()).isEqualTo("READY=1\nSTATUS=listening on http://127.0.0.1:8080");
        assertThat(next()).startsWith("STOPPING=1\n");
    }

    @Test
    void findsASocketInTheAbstractNamespace() throws Exception {
        String name = "kvant-" + UUID.randomUUID();
        listen('\0' + name);

        manager("@" + name).ready("here");

        assertThat(next()).isEqualTo("READY=1\nSTATUS=here");
    }

    @Test
    void aSocketThatIsNotThereIsOneWarning() {
        String socket = folder.resolve("nobody").toString();

        manager(socket).ready("here");

        assertThat(kept.lines).singleElement().asString().contains("WARNING", socket, "READY=1", "No such file");
    }

    @Test
    void withoutAManagerNothingIsTold() {
        new ServiceManager(kept, Map.of()).ready("here");
        manager("").stopping();

        assertThat(kept.lines).isEmpty();
    }

    private ServiceManager manager(String socket) {
        return new ServiceManager(kept, Map.of("NOTIFY_SOCKET", socket));
    }

    private void listen(String path) throws InterruptedException {
        Channel channel = new Bootstrap()
                .group(group)
                .channel(EpollDomainDatagramChannel.class)
                .handler(new SimpleChannelInboundHandler<DomainDatagramPacket>() {
                    @Override
                    protected void channelRead0(ChannelHandlerContext context, DomainDatagramPacket packet) {
                        messages.add(packet.content().toString(StandardCharsets.UTF_8));
                    }
                })
                .bind(new DomainSocketAddress(path))
                .sync()
                .channel();
        assertThat(channel.isActive()).isTrue();
    }

    private String next() throws InterruptedException {
        return requireNonNull(messages.poll(10, TimeUnit.SECONDS), "no message came");
    }
}
