package kvant.server.http;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.server.service.CompletionQueue.Member;

/// The turns that the connections of one event loop wait for behind all others; those that are given at once come from
/// the mailbox. Owned by that loop.
final class ConnectionScheduler {

    // Constant.
    private final EventExecutor loop;

    // Owned by the loop: two lists, so that whoever asks during its turn gets another one later.
    private List<Member> waiting = new ArrayList<>();
    private List<Member> waitingBefore = new ArrayList<>();

    ConnectionScheduler(EventExecutor loop) {
        this.loop = loop;
    }

    /// A turn after the sockets of the loop have been looked at once more: a task that an event loop gives itself
    /// would come before them.
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
