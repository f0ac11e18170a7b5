package kvant.cli.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import kvant.cassandra.CassandraEngine;
import kvant.cassandra.CassandraOptions;
import kvant.cli.engine.EngineKind;
import kvant.cli.engine.LocalStore;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.LocalEngine;
import kvant.engine.RemoteEngine;
import kvant.move.mirror.LocalMirror;
import kvant.move.mirror.MirrorMarks;
import kvant.move.mirror.MirrorOptions;
import kvant.move.mirror.OffloadedEngine;
import kvant.move.mirror.RemoteMirror;
import kvant.text.command.OptionGroups.Heading;
import kvant.text.command.SizeOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of a node that moves its store while it serves.
@Heading("Moving the store")
final class MirrorFlags {

    private static final String CLUSTER = "cassandra";

    @Option(
            names = "--mirror-to",
            paramLabel = "TARGET",
            description = "Move the store while it serves: copy it to TARGET, a data directory or 'cassandra' (with its"
                    + " options), and write to both until 'kvant mirror switch'.")
    private @Nullable String target;

    @Option(
            names = "--mirror-engine",
            paramLabel = "E",
            description = "Engine of a data directory that --mirror-to names: lsm or rocksdb (default: lsm).")
    private @Nullable EngineKind engine;

    @Option(
            names = "--mirror-rate",
            converter = SizeOption.class,
            paramLabel = "SIZE",
            description = "Bytes per second that the copy reads, 0 for no limit (default: 20MiB).")
    private @Nullable Long rate;

    @Option(
            names = "--mirror-timeout",
            paramLabel = "MS",
            description = "Longest wait of a write for TARGET (default: 1000).")
    private @Nullable Integer timeoutMillis;

    @Option(
            names = "--mirror-over",
            description = "Overwrite a TARGET with other records; records only there are deleted.")
    private boolean over;

    /// Whether the store is moved.
    boolean isOn() {
        return target != null;
    }

    boolean isToCluster() {
        return CLUSTER.equals(target);
    }

    /// @return the reason why the options are invalid, or null
    @Nullable
    String obstacle(EngineKind source, Path data) {
        if (target == null) {
            return engine == null && rate == null && timeoutMillis == null && !over
                    ? null
                    : "the options '--mirror-...' need '--mirror-to'";
        }
        if (isToCluster()) {
            return source == EngineKind.CASSANDRA || engine != null
                    ? "'--mirror-to cassandra' needs '--engine lsm' or 'rocksdb', and no '--mirror-engine'"
                    : null;
        }
        if (engine == EngineKind.CASSANDRA) {
            return "'--mirror-engine' is lsm or rocksdb; for a cluster say '--mirror-to cassandra'";
        }
        if (source != EngineKind.CASSANDRA && real(directoryOf(target)).equals(real(data))) {
            return "'--mirror-to' names the data directory itself";
        }
        return timeoutMillis != null && timeoutMillis < 1 ? "'--mirror-timeout' is 1 or more milliseconds" : null;
    }

    /// The data directory with the control socket for operators' commands; null if the node has none.
    @Nullable
    Path controlDirectory(EngineKind source, Path data) {
        if (source != EngineKind.CASSANDRA) {
            return data;
        }
        return target == null ? null : directoryOf(target);
    }

    /// Refuses an invalid move before any store is opened.
    ///
    /// @throws EngineException.CannotOpen with a one-line reason
    void check(EngineKind source, Path data, CassandraOptions cluster) {
        if (isOn()) {
            marks(source, data, cluster).check();
        } else if (source != EngineKind.CASSANDRA) {
            MirrorMarks.refuseToServe(data);
        }
    }

    /// Starts the move.
    Engine over(Engine opened, EngineKind source, Path data, CassandraOptions cluster, Durability durability) {
        MirrorMarks marks = marks(source, data, cluster);
        MirrorOptions options = MirrorOptions.DEFAULT;
        options = rate == null ? options : options.withBytesPerSecond(rate);
        options = timeoutMillis == null ? options : options.withDeadline(Duration.ofMillis(timeoutMillis));
        Path directory = marks.targetDirectory();
        if (directory == null) {
            return RemoteMirror.over(remote(opened), () -> CassandraEngine.open(cluster), marks, options);
        }
        LocalEngine target = open(directory, durability); // here: fails before the node serves
        return switch (opened) {
            case LocalEngine local -> LocalMirror.over(local, () -> target, marks, options);
            case RemoteEngine remote -> {
                RemoteEngine offloaded = remote(target);
                yield RemoteMirror.over(remote, () -> offloaded, marks, options);
            }
        };
    }

    private static RemoteEngine remote(Engine opened) {
        return switch (opened) {
            case RemoteEngine remote -> remote;
            case LocalEngine local -> new OffloadedEngine(local);
        };
    }

    private LocalEngine open(Path directory, Durability durability) {
        return LocalStore.open(engine == null ? EngineKind.LSM : engine, directory, durability);
    }

    private MirrorMarks marks(EngineKind source, Path data, CassandraOptions cluster) {
        String clusterName =
                "cassandra keyspace " + cluster.keyspace() + " at " + String.join(",", cluster.contactPoints());
        Path to = targetDirectory();
        Path from = source == EngineKind.CASSANDRA ? null : data;
        return new MirrorMarks(
                from,
                from == null ? clusterName : "data directory " + real(from),
                to,
                to == null ? clusterName : "data directory " + real(to),
                over);
    }

    /// Absolute, so that messages name the location.
    private static Path directoryOf(String target) {
        return Path.of(target).toAbsolutePath();
    }

    /// The target data directory of the move, or null.
    @Nullable
    Path targetDirectory() {
        return isToCluster() || target == null ? null : directoryOf(target);
    }

    /// The path without symbolic links, if it exists.
    static Path real(Path path) {
        try {
            return Files.exists(path)
                    ? path.toRealPath()
                    : path.toAbsolutePath().normalize();
        } catch (IOException _) {
            return path.toAbsolutePath().normalize();
        }
    }

    /// The directories of a node, in every spelling that a message may use.
    List<String> directories(Path data, @Nullable Path logs) {
        List<String> names = new ArrayList<>();
        for (Path directory : Arrays.asList(data, logs, targetDirectory())) {
            if (directory != null && Files.exists(directory)) {
                names.add(directory.toAbsolutePath().toString());
                names.add(directory.toAbsolutePath().normalize().toString());
                names.add(real(directory).toString());
            }
        }
        return names;
    }
}
