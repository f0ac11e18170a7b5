package kvant.server.http;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.server.service.CompletionQueue.Member;

/// The queue for turns that come behind all other work of an event loop; immediate turns come from the mailbox. Owned
/// by that loop.
final class ConnectionScheduler {

    // Constant.
    private final EventExecutor loop;

    // Owned by the loop: two lists, so that a connection that asks during its turn gets another one later.
    private List<Member> waiting = new ArrayList<>();
    private List<Member> waitingBefore = new ArrayList<>();

    ConnectionScheduler(EventExecutor loop) {
        this.loop = loop;
    }

    /// Gives a turn after the loop has checked its sockets once more: a task that an event loop gives itself would
    /// come before them.
    void later(Member member) {
        if (waiting.isEmpty()) {
            loop.schedule(this::give, 1, TimeUnit.NANOSECONDS);
        }
        waiting.add(member);
    }

    private void give() {
        List<Member> due = waiting;
        waiting = waitingBefore;
        waitingBefore = due;
        for (int i = 0; i < due.size(); i++) {
            due.get(i).turn();
        }
        due.clear();
    }
}
