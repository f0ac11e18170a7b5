package kvant.lab.load;

import kvant.lab.workload.Operation;
import kvant.lab.workload.RequestSource;

/// The requests of a workload, without end.
record DrawnRequests(RequestSource source, int mostBytes) implements Requests {

    DrawnRequests(RequestSource source) {
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
    public int write(byte[] into, int at) {
        return source.write(into, at);
    }

    @Override
    public void settled(long key, boolean good) {
        // the next one does not depend on it
    }

    @Override
    public boolean isExhausted() {
        return false;
    }
}
