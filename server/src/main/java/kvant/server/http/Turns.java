package kvant.server.http;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The turns that the connections of one event loop wait for. Owned by that loop.
final class Turns {

    /// Who waits for turns; it asks for no second one while it waits.
    interface Member {

        /// Throws nothing: others wait for their turns.
        void turn();
    }

    // Constant.
    private final EventExecutor loop;

    // Owned by the loop: two lists of each kind, so that whoever asks during its turn gets another one later.
    private List<Member> soon = new ArrayList<>();
    private List<Member> soonBefore = new ArrayList<>();
    private List<Member> later = new ArrayList<>();
    private List<Member> laterBefore = new ArrayList<>();

    Turns(EventExecutor loop) {
        this.loop = loop;
    }

    /// A turn once everything that is ready has been handed out, so that several answers leave in one write.
    void soon(Member member) {
        if (soon.isEmpty()) {
            loop.execute(this::giveSoon);
        }
        soon.add(member);
    }

    /// A turn after the sockets of the loop have been looked at once more: a task that an event loop gives itself
    /// would come before them.
    void later(Member member) {
        if (later.isEmpty()) {
            loop.schedule(this::giveLater, 1, TimeUnit.NANOSECONDS);
        }
        later.add(member);
    }

    private void giveSoon() {
        List<Member> due = soon;
        soon = soonBefore;
        soonBefore = due;
        give(due);
    }

    private void giveLater() {
        List<Member> due = later;
        later = laterBefore;
        laterBefore = due;
        give(due);
    }

    private static void give(List<Member> due) {
        for (int i = 0; i < due.size(); i++) {
            due.get(i).turn();
        }
        due.clear();
    }
}
