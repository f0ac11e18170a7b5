package kvant.load.loop;

import kvant.load.workload.Operation;
import kvant.load.workload.RequestSource;

/// The requests of a workload, without end.
public record WorkloadRequests(RequestSource source, int mostBytes) implements Requests {

    public WorkloadRequests(RequestSource source) {
        this(source, source.mostBytes());
    }

    @Override
    public boolean draw() {
        source.draw();
        return true;
    }

    @Override
    public void drawPut(long key) {
        source.drawPut(key);
    }

    @Override
    public Operation operation() {
        return source.operation();
    }

    @Override
    public long key() {
        return source.key();
    }

    @Override
    public boolean isMissing() {
        return source.isMissing();
    }

    @Override
    public boolean isNew() {
        return source.isNew();
    }

    @Override
    public int write(byte[] into, int at) {
        return source.write(into, at);
    }

    @Override
    public void settled(boolean isNew, long key, boolean good) {
        if (good && isNew) {
            source.stored(key);
        }
    }

    @Override
    public boolean isExhausted() {
        return false;
    }
}
