package kvant.server.http;

import io.netty.channel.Channel;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Counts open connections: stops accepting while there are as many as there may be, and tells when none is
/// left.
///
/// Who is not accepted waits in the kernel's backlog, which costs no memory here. Any thread may call;
/// connections come
/// and go too rarely for the lock to matter.
final class ConnectionGate {

    // Constant.
    private final int maxConnections;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition none = lock.newCondition();

    // Guarded by the lock.
    private int open;
    private @Nullable Channel acceptor;

    ConnectionGate(int maxConnections) {
        this.maxConnections = maxConnections;
    }

    void acceptor(Channel channel) {
        lock.lock();
        try {
            acceptor = channel;
            update();
        } finally {
            lock.unlock();
        }
    }

    void opened() {
        count(1);
    }

    void closed() {
        count(-1);
    }

    int open() {
        lock.lock();
        try {
            return open;
        } finally {
            lock.unlock();
        }
    }

    /// @return whether no connection is left
    boolean awaitNone(long timeoutNanos) throws InterruptedException {
        lock.lock();
        try {
            long left = timeoutNanos;
            while (open > 0 && left > 0) {
                left = none.awaitNanos(left);
            }
            return open == 0;
        } finally {
            lock.unlock();
        }
    }

    private void count(int difference) {
        lock.lock();
        try {
            open += difference;
            update();
            if (open == 0) {
                none.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void update() {
        if (acceptor != null && acceptor.config().isAutoRead() != open < maxConnections) {
            acceptor.config().setAutoRead(open < maxConnections);
        }
    }
}
