package kvant.move.copy;

import kvant.engine.Cursor;
import kvant.engine.Engine;
import kvant.engine.Write;

/// A store that this process has opened.
public final class EngineHome implements Home {

    /// Enough that a group commit is a small part of the work.
    private static final int EMBEDDED_RECORDS = 1000;

    private final String name;
    private final Engine engine;

    public EngineHome(String name, Engine engine) {
        this.name = name;
        this.engine = engine;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Cursor scan(byte[] from) {
        return engine.scan(from, null);
    }

    @Override
    public void submit(Write write) {
        engine.submit(write);
    }

    /// A batch is one commit on a disk, but a detour over a log in a cluster, where each key has another partition.
    @Override
    public int writeRecords() {
        return engine.answersLater() ? 1 : EMBEDDED_RECORDS;
    }

    @Override
    public boolean isRemote() {
        return false;
    }

    @Override
    public void close() {
        engine.close();
    }
}
