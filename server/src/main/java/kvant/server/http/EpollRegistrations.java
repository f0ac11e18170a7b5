package kvant.server.http;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;

/// Netty's epoll handler that keeps idle descriptors registered. From 4.2.13 on Netty removes a descriptor without
/// interests from epoll and modifies it later (netty pull request 16689). That fails with ENOENT and shuts the output
/// of a client that half-closed and reads a large answer.
record EpollRegistrations(IoHandler netty) implements IoHandler {

    static IoHandlerFactory factory() {
        IoHandlerFactory netty = EpollIoHandler.newFactory();
        return executor -> new EpollRegistrations(netty.newHandler(executor));
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return new Kept(netty.register(handle));
    }

    @Override
    public void initialize() {
        netty.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
        return netty.run(context);
    }

    @Override
    public void prepareToDestroy() {
        netty.prepareToDestroy();
    }

    @Override
    public void destroy() {
        netty.destroy();
    }

    @Override
    public void wakeup() {
        netty.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return netty.isCompatible(handleType);
    }

    private record Kept(IoRegistration registration) implements IoRegistration {

        /// Errors, which epoll always reports, stand for no interest.
        @Override
        public long submit(IoOps ops) {
            return registration.submit(ops.equals(EpollIoOps.NONE) ? EpollIoOps.EPOLLERR : ops);
        }

        @Override
        public <T> T attachment() {
            return registration.attachment();
        }

        @Override
        public boolean isValid() {
            return registration.isValid();
        }

        @Override
        public boolean cancel() {
            return registration.cancel();
        }
    }
}
