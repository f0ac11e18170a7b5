package kvant.cli.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import kvant.backup.FileTree;
import kvant.cli.engine.EngineKind;
import kvant.engine.Engine;
import kvant.lsm.LogPlace;
import kvant.lsm.LsmOptions;
import kvant.server.Node;
import kvant.server.NodeOptions;
import kvant.server.warm.WarmUp;
import kvant.server.warm.WarmUp.Scratch;
import kvant.text.command.OptionGroups.Heading;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The option of `kvant serve` for the warm-up between listening and readiness.
@Heading("Node")
final class WarmUpFlags {

    private static final int DEFAULT_SECONDS = 4;

    /// Small, so that flushes and merges occur often and are warmed up too.
    private static final long MEMTABLE_BYTES = 2 << 20;

    private static final long CACHE_BYTES = 8 << 20;
    private static final long MAX_DATA_BYTES = 256 << 20;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            description = "Longest warm-up before the node is ready: requests to a temporary store, so that code is"
                    + " compiled; ends early when done or when clients come; 0 for none. Not for cassandra"
                    + " (default: 4).")
    private @Nullable Integer seconds;

    Duration duration(EngineKind engine) {
        return engine == EngineKind.CASSANDRA
                ? Duration.ZERO
                : Duration.ofSeconds(seconds == null ? DEFAULT_SECONDS : seconds);
    }

    /// Starts the warm-up if configured.
    ///
    /// @param engines opens an empty engine in a directory that does not exist yet
    /// @param ready called when the node is ready, on this thread or another
    @Nullable
    WarmUp start(Node node, NodeOptions options, Function<Path, Engine> engines, Runnable ready) {
        if (options.warmUp().isZero()) {
            ready.run();
            return null;
        }
        return WarmUp.start(node, options, () -> ScratchStore.open(engines), ready);
    }

    static LsmOptions small(LsmOptions options) {
        return options.withMemtable(MEMTABLE_BYTES).with(o -> {
            o.table = o.table.withCache(CACHE_BYTES);
            o.maxDataBytes = MAX_DATA_BYTES;
            o.logPlace = LogPlace.INSIDE; // that of the node is the store's own
        });
    }

    /// A store in the directory for temporary files, deleted on close.
    record ScratchStore(Path folder, Engine engine) implements Scratch {

        /// @param opener opens a store in a directory that does not exist yet
        static ScratchStore open(Function<Path, Engine> opener) throws IOException {
            Path folder = Files.createTempDirectory("kvant-warm-up-");
            try {
                return new ScratchStore(folder, opener.apply(folder.resolve("data")));
            } catch (RuntimeException | Error e) {
                FileTree.delete(folder);
                throw e;
            }
        }

        @Override
        public void close() throws IOException {
            try {
                engine.close();
            } finally {
                FileTree.delete(folder);
            }
        }
    }
}
