package kvant.server.service;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import kvant.server.request.Outcome;

/// A call that keeps its outcomes.
final class Told extends Call {

    final List<Outcome> outcomes = new CopyOnWriteArrayList<>();
    final CountDownLatch dropped = new CountDownLatch(1);

    Told(CompletionQueue mailbox) {
        super(mailbox);
    }

    @Override
    protected void settled(Outcome outcome) {
        outcomes.add(outcome);
    }

    @Override
    protected void dropped() {
        dropped.countDown();
    }
}
