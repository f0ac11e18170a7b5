package kvant.move.copy;

import kvant.engine.Cursor;
import kvant.engine.Engine;
import kvant.engine.LocalEngine;
import kvant.engine.RemoteEngine;
import kvant.engine.Write;

/// An endpoint for a store opened by this process.
public final class EngineEndpoint implements Endpoint {

    /// Large enough that group commits are a small part of the work.
    private static final int LOCAL_RECORDS = 1000;

    /// One, because a batch in a cluster goes through a batch log: each of its keys belongs to another partition.
    private static final int REMOTE_RECORDS = 1;

    private final String name;
    private final Engine engine;
    private final int writeRecords;

    public EngineEndpoint(String name, Engine engine) {
        this.name = name;
        this.engine = engine;
        this.writeRecords = switch (engine) {
            case LocalEngine _ -> LOCAL_RECORDS;
            case RemoteEngine _ -> REMOTE_RECORDS;
        };
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

    @Override
    public int writeRecords() {
        return writeRecords;
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
