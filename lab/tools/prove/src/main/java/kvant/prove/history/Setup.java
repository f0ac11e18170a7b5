package kvant.prove.history;

import java.util.List;
import java.util.Random;
import kvant.lab.run.ServedNode;
import kvant.prove.stage.Stage;

/// How the node of a history is started, and what is done to it.
record Setup(String engine, String executor, String transport, int clients, int operations, int kills) {

    private static final List<String> ENGINES = List.of("lsm", "rocksdb");
    private static final List<String> EXECUTORS = List.of("adaptive", "sync", "async", "virtual");
    private static final List<String> TRANSPORTS = List.of("epoll", "io_uring");

    /// Any 16 in turn have all combinations; even numbers have the engine lsm.
    static Setup of(long number, Random random, int operations) {
        int n = (int) Math.floorMod(number, 16L);
        String engine = ENGINES.get(n % 2);
        String executor = EXECUTORS.get(n / 2 % 4);
        String transport = TRANSPORTS.get(n / 8);
        return new Setup(engine, executor, transport, 8 + random.nextInt(9), operations, 1 + random.nextInt(3));
    }

    ServedNode.Start start(List<String> more) {
        ServedNode.Start start = Stage.node("--engine", engine, "--executor", executor, "--transport", transport)
                .with(List.of("--durability", "always", "--resp-port", "0"))
                .with(more);
        return engine.equals("lsm") ? start.with(List.of("--lsm.memtable", "64KiB")) : start; // many flushes and merges
    }
}
