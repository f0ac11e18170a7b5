package kvant.server.http.tls;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.AttributeKey;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import kvant.engine.MetricSink;
import kvant.server.access.AuditLog;
import kvant.server.access.Reloaded;
import kvant.server.admit.MemoryBudget;
import org.jspecify.annotations.Nullable;

/// The TLS layer of connections, with figures of their handshakes.
///
///     socket --> RecordMeter --> SslHandler --> Guard --> connection
///
/// The cryptography of a handshake runs on threads of its own: it takes as long as hundreds of requests, and a loop
/// has other connections. A connection has one such task at a time, so that there are no more of them than
/// connections.
///
/// Any thread may call, except for methods marked as the loop's.
public final class TlsFront implements AutoCloseable {

    /// Memory of a connection besides its read and write buffers: keys, sessions and the state of the handshake, as
    /// measured with the engine of the JDK.
    public static final int CONNECTION_BYTES = 48 << 10;

    private static final int THREADS = 2;
    private static final AttributeKey<String> SUBJECT = AttributeKey.valueOf(TlsFront.class, "subject");

    // Constant.
    private final Reloaded<TlsContext> context;
    private final MemoryBudget memory;
    private final Duration handshakeTimeout;
    private final Refusals refusals;
    private final ExecutorService tasks = Executors.newFixedThreadPool(
            THREADS, Thread.ofPlatform().name("kvant-tls-", 0).daemon().factory());

    // Atomic.
    private final LongAdder succeeded = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder floods = new LongAdder();

    /// A listener for failed handshakes, and for connections that were closed because of their TLS traffic.
    @FunctionalInterface
    public interface Refusals {
        void refused(SocketAddress client, String reason);
    }

    /// @param memory of which each connection claims [#CONNECTION_BYTES]
    public TlsFront(Reloaded<TlsContext> context, MemoryBudget memory, Duration handshakeTimeout, Refusals refusals) {
        this.context = context;
        this.memory = memory;
        this.handshakeTimeout = handshakeTimeout;
        this.refusals = refusals;
    }

    /// Secures a channel that was accepted, before its connection is added. The loop's.
    ///
    /// @return false where there is no memory for it
    public boolean secure(Channel channel) {
        if (!memory.claim(CONNECTION_BYTES, 0)) {
            return false;
        }
        channel.closeFuture().addListener(_ -> memory.release(CONNECTION_BYTES));
        SslHandler ssl = context.current().context.newHandler(channel.alloc(), tasks);
        ssl.setHandshakeTimeoutMillis(handshakeTimeout.toMillis());
        RecordMeter meter = new RecordMeter(() -> flooded(channel));
        channel.pipeline().addLast(meter, ssl, new Guard(meter));
        return true;
    }

    private void flooded(Channel channel) {
        floods.increment();
        refusals.refused(channel.remoteAddress(), "tls: too many records without data");
        abort(channel);
    }

    /// Loads the classes needed at the end of every connection, secured or not: at that time no file descriptor may
    /// be left.
    ///
    /// @return the handler of channels with TLS
    public static Class<?> load() {
        return SslHandler.class;
    }

    /// Writes what says that nothing more comes, if this is a channel with TLS. The loop's.
    ///
    /// @return null where it is none
    public static @Nullable ChannelFuture endOutput(Channel channel) {
        SslHandler ssl = channel.pipeline().get(SslHandler.class);
        return ssl == null ? null : ssl.closeOutbound();
    }

    /// Stops decoding: further bytes are discarded as they come. The loop's.
    public static void stop(Channel channel) {
        SslHandler ssl = channel.pipeline().get(SslHandler.class);
        if (ssl != null) {
            channel.pipeline().remove(RecordMeter.class);
            channel.pipeline().remove(ssl);
        }
    }

    /// Closes a channel at once, without the TLS message for a proper end. The loop's.
    public static void abort(Channel channel) {
        ChannelHandlerContext ssl = channel.pipeline().context(SslHandler.class);
        if (ssl == null) {
            channel.close();
        } else {
            ssl.close(); // past the handler, which would write an end and wait for that
        }
    }

    /// The name of the client in its certificate, the most specific one first; empty without a certificate. Any
    /// thread may call.
    public static String subject(Channel channel) {
        String known = channel.hasAttr(SUBJECT) ? channel.attr(SUBJECT).get() : null;
        return known == null ? "" : known;
    }

    /// @param tls null where connections are not secured
    public static void measure(@Nullable TlsFront tls, MetricSink sink) {
        String help = "Handshakes of TLS, by their result.";
        sink.counter("kvant_tls_handshakes_total", help, tls == null ? 0 : tls.succeeded.sum(), "result", "ok");
        sink.counter("kvant_tls_handshakes_total", help, tls == null ? 0 : tls.failed.sum(), "result", "failed");
        sink.counter(
                "kvant_tls_floods_total",
                "Connections that were closed because too many records of TLS held nothing.",
                tls == null ? 0 : tls.floods.sum());
        sink.gauge(
                "kvant_tls_certificate_expiry_seconds",
                "When the certificate of the node expires, in seconds since 1970; 0 without TLS.",
                tls == null ? 0 : tls.context.current().validUntil.getEpochSecond());
    }

    @Override
    public void close() {
        tasks.shutdownNow();
    }

    /// Stands between TLS and a connection, which knows nothing of it.
    private final class Guard extends ChannelInboundHandlerAdapter {

        private final RecordMeter meter;

        Guard(RecordMeter meter) {
            this.meter = meter;
        }

        /// The handler hands on each record by itself.
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            meter.carried();
            ctx.fireChannelRead(message);
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            switch (event) {
                case SslHandshakeCompletionEvent handshake -> ended(ctx.channel(), handshake);
                case SslCloseCompletionEvent end -> {
                    if (end.isSuccess()) {
                        ctx.fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE); // he sends nothing more
                    }
                }
                default -> ctx.fireUserEventTriggered(event);
            }
        }

        private void ended(Channel channel, SslHandshakeCompletionEvent handshake) {
            if (handshake.isSuccess()) {
                succeeded.increment();
                meter.secured();
                keepSubject(channel);
            } else {
                failed.increment();
                refusals.refused(channel.remoteAddress(), reason(handshake.cause()));
            }
        }

        /// Read now, as it goes with the handler before the last lines are written.
        private void keepSubject(Channel channel) {
            SSLEngine engine = channel.pipeline().get(SslHandler.class).engine();
            if (engine.getNeedClientAuth()) {
                try {
                    channel.attr(SUBJECT)
                            .set(AuditLog.words(
                                    engine.getSession().getPeerPrincipal().getName()));
                } catch (SSLPeerUnverifiedException e) {
                    throw new IllegalStateException("a client without a certificate was let in", e);
                }
            }
        }

        /// Bytes that are not TLS are the client's fault, and no failure of the node.
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            if (cause instanceof SSLException
                    || cause instanceof DecoderException && cause.getCause() instanceof SSLException) {
                abort(ctx.channel());
            } else {
                ctx.fireExceptionCaught(cause);
            }
        }
    }

    /// The reason for the log; its text may come from a client.
    private static String reason(Throwable cause) {
        String words = cause instanceof IOException && cause.getMessage() != null
                ? cause.getMessage()
                : cause.getClass().getSimpleName();
        return "tls: " + AuditLog.words(words);
    }
}
