package kvant.cli.serve;

import java.io.PrintWriter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import kvant.archive.Archiver;
import kvant.cassandra.CassandraEngine;
import kvant.cassandra.CassandraOptions;
import kvant.cli.control.ConfigOption;
import kvant.cli.control.ControlServer;
import kvant.cli.control.ControlServer.NodeControl;
import kvant.cli.engine.CassandraFlags;
import kvant.cli.engine.EngineKind;
import kvant.cli.engine.LsmFlags;
import kvant.cli.log.LogSetup;
import kvant.cli.log.LogSetup.LogStyle;
import kvant.cli.spans.SpanExport;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.move.mirror.MirrorEngine;
import kvant.rocksdb.Preset;
import kvant.rocksdb.RocksDbEngine;
import kvant.rocksdb.RocksDbOptions;
import kvant.server.ExecutorKind;
import kvant.server.Node;
import kvant.server.NodeOptions;
import kvant.server.NodeOptions.LivePageKind;
import kvant.server.StartException;
import kvant.server.TransportKind;
import kvant.server.supervise.ServiceManager;
import kvant.server.warm.WarmUp;
import kvant.text.ExitCode;
import kvant.text.Terminal;
import kvant.text.UserException;
import kvant.text.command.CliCommand;
import kvant.text.command.CommandRunner;
import kvant.text.command.OptionGroups;
import kvant.text.command.OptionGroups.Heading;
import kvant.text.command.OptionTypes;
import kvant.text.command.SizeOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/// `kvant serve`: opens a store, serves it until a signal, drains, syncs, and exits.
///
/// An option that is not given is null here, and the default of the configured module applies.
@Command(
        name = "serve",
        description = "Serve a store over HTTP and, with --resp-port, RESP, until SIGTERM or SIGINT.",
        sortOptions = false,
        abbreviateSynopsis = true,
        footer = {
            "",
            "Prints 'listening on URL' once it answers; /readyz turns 200 after the warm-up.",
            "SIGTERM and SIGINT: accepted requests are answered, data is synced, exit code 0.",
            "Exit codes: 0 stopped by a signal, 1 failed (the reason is on stderr), 2 wrong",
            "command line, 3 out of memory."
        })
public final class ServeCommand extends CliCommand {

    /// Maximum time for closing the engine after the drain, before the process is halted.
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(60);

    private static final Logger LOGGER = System.getLogger(ServeCommand.class.getName());
    /// Their defaults in the help are no values.
    private static final List<String> NOT_SET = List.of(
            "resp-port",
            "archive-endpoint",
            "cassandra.datacenter",
            "cassandra.tls.truststore",
            "cassandra.speculative");

    private static final String NODE = "Node";
    private static final String THREADS = "Threads";

    @Mixin
    private ConfigOption config = new ConfigOption();

    @Heading(NODE)
    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Data directory, created if missing; unused with cassandra (default: ./data).")
    private Path data = Path.of("data");

    @Heading(NODE)
    @Option(names = "--host", paramLabel = "H", description = "Address to listen on (default: 127.0.0.1).")
    private String host = "127.0.0.1";

    @Heading(NODE)
    @Option(names = "--port", paramLabel = "P", description = "Port, 0 for any free one (default: 8080).")
    private int port = 8080;

    @Mixin
    private RespFlags resp = new RespFlags();

    @Heading(NODE)
    @Option(
            names = "--engine",
            paramLabel = "E",
            description = "Storage engine: lsm, rocksdb or cassandra (default: lsm).")
    private EngineKind engine = EngineKind.LSM;

    @Heading(NODE)
    @Option(
            names = "--durability",
            converter = DurabilityOption.class,
            paramLabel = "D",
            description = "When writes are acknowledged: always (after fsync), interval=MS (before an fsync within MS"
                    + " milliseconds), none (the operating system syncs) (default: always).")
    private Durability durability = Durability.ALWAYS;

    @Heading(NODE)
    @Option(names = "--read-only", description = "Refuse writes of clients; flushes and merges continue.")
    private boolean readOnly;

    @Heading(THREADS)
    @Option(
            names = "--executor",
            paramLabel = "X",
            description =
                    "Where requests run: adaptive (on the event loop; on workers if they would block), sync (on the"
                            + " event loop), async (on workers), virtual (each on a virtual thread)"
                            + " (default: adaptive).")
    private ExecutorKind executor = NodeOptions.DEFAULT_EXECUTOR;

    @Mixin
    private PoolFlags pool = new PoolFlags();

    @Mixin
    private AdmissionFlags admission = new AdmissionFlags();

    @Heading(THREADS)
    @Option(
            names = "--event-loops",
            paramLabel = "N",
            description = "Event loop threads (default: half of the cores, at least 1).")
    private @Nullable Integer eventLoops;

    @Heading(THREADS)
    @Option(
            names = "--transport",
            paramLabel = "T",
            description = "Socket transport: auto, epoll, nio or io_uring (default: auto).")
    private @Nullable TransportKind transport;

    @Mixin
    private WarmUpFlags warmUp = new WarmUpFlags();

    @Mixin
    private LsmFlags lsm = new LsmFlags();

    private LsmOpener lsmOpener = LsmEngine::open;

    @Heading("RocksDB engine")
    @Option(
            names = "--rocksdb.preset",
            paramLabel = "NAME",
            description = "Options of the rocksdb engine: tuned, or default (as RocksDB comes) (default: tuned).")
    private @Nullable Preset rocksDbPreset;

    @Mixin
    private CassandraFlags cassandra = new CassandraFlags();

    @Mixin
    private MirrorFlags mirror = new MirrorFlags();

    @Mixin
    private ArchiveFlags archive = new ArchiveFlags();

    private @Nullable LsmEngine archived;

    @Heading(NODE)
    @Option(
            names = "--drain",
            paramLabel = "SECONDS",
            description = "Time for accepted requests to finish after SIGTERM (default: 30).")
    private @Nullable Integer drainSeconds;

    @Heading(ExposureFlags.HEADING)
    @Option(
            names = "--debug.safepoints",
            description = "Show JVM safepoints, with their reasons, in 'kvant slow' (takes memory).")
    private boolean safepoints;

    @Heading(NODE)
    @Option(
            names = "--log-format",
            paramLabel = "F",
            description = "Log format on stderr: text, or json with an object per line (default: text).")
    private LogStyle logStyle = LogStyle.TEXT;

    @Mixin
    private ExposureFlags exposure = new ExposureFlags();

    @Mixin
    private AccessFlags access = new AccessFlags();

    @Mixin
    private WatchFlags watch = new WatchFlags();

    @Override
    public Integer call() throws InterruptedException {
        NodeOptions options = check();
        LogSetup.use(logStyle);
        PrintWriter err = err();
        Termination termination =
                new Termination(err, options.drainTimeout().plus(CLOSE_LIMIT), Runtime.getRuntime()::halt);
        termination.listen();
        try {
            Node.tryAddress(options);
            String drained;
            try (Engine opened = openStore()) {
                drained = serve(options, opened, termination);
            }
            if (!drained.isEmpty() && Terminal.isInteractive()) {
                out().println("stopped: " + drained + ", data synced");
            }
        } catch (StartException e) {
            throw new UserException(String.valueOf(e.getMessage()), e);
        }
        return ExitCode.DONE;
    }

    /// @return the counts of drained connections, in one line; empty where the node did not start
    private String serve(NodeOptions options, Engine opened, Termination termination)
            throws StartException, InterruptedException {
        if (termination.isRequested()) {
            return ""; // no supervisor hears of a node that stops at once
        }
        String warning = access.warning(options);
        if (warning != null) {
            LOGGER.log(Level.WARNING, warning);
        }
        ServiceManager manager = ServiceManager.own();
        List<String> directories = mirror.directories(data, lsm.logDirectory());
        try (@Nullable Archiver _ = archive.start(archived, data);
                Node node = Node.start(options.with(o -> o.directories = directories), opened);
                @Nullable SpanExport _ = watch.export(options, node);
                @Nullable ControlServer _ = control(opened, node)) {
            PrintWriter out = out();
            out.println("listening on " + node.url());
            node.otherUrls().forEach(out::println);
            if (Terminal.isInteractive()) {
                banner(options, node).forEach(out::println);
            }
            out.flush();
            Runnable ready = () -> manager.ready("listening on " + node.url());
            try (@Nullable WarmUp _ = warmUp.start(node, options, this::openScratch, ready)) {
                termination.await();
            }
            manager.stopping();
            return node.drain();
        }
    }

    /// What a person sees below the URL.
    private List<String> banner(NodeOptions options, Node node) {
        List<String> admin = node.adminUrls();
        String url = admin.isEmpty() ? node.url() : admin.getFirst();
        String durable = options.identity().durability();
        return List.of(
                "version    " + options.identity().version() + ", engine "
                        + options.identity().engine() + (durable.isEmpty() ? "" : ", durability " + durable),
                "data       "
                        + (options.data() == null
                                ? "in the cluster"
                                : data.toAbsolutePath().normalize()),
                "live page  " + (options.livePage() == LivePageKind.OFF ? "off" : url + "/ui"),
                "Ctrl-C     stops the node after accepted requests are answered");
    }

    /// Replaces the way of opening the LSM engine.
    public void openLsmBy(LsmOpener opener) {
        lsmOpener = opener;
    }

    /// The reason why `kvant serve` refuses these options, found without starting anything; empty if it accepts them.
    public static String obstacle(List<String> options) {
        ServeCommand serve = new ServeCommand();
        try {
            OptionTypes.register(new CommandLine(serve)).parseArgs(options.toArray(String[]::new));
            serve.check();
            return "";
        } catch (UnmatchedArgumentException e) {
            return "unknown option '" + e.getUnmatched().getFirst() + "'";
        } catch (ParameterException e) {
            return CommandRunner.firstLine(e);
        }
    }

    /// Makes all checks that are possible before the store is opened.
    private NodeOptions check() {
        NodeOptions options = nodeOptions();
        LsmOptions _ = checked(() -> archive.applyTo(lsmOptions()));
        CassandraOptions _ = cassandraOptions();
        return options;
    }

    /// Opens the store alone, or as the source of a mirror.
    private Engine openStore() {
        CassandraOptions cluster = cassandraOptions();
        mirror.check(engine, data, cluster);
        Engine opened = openEngine();
        if (!mirror.isOn()) {
            return opened;
        }
        try {
            return mirror.over(opened, engine, data, cluster, durability);
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private @Nullable ControlServer control(Engine opened, Node node) {
        Path directory = mirror.controlDirectory(engine, data);
        return directory == null ? null : ControlServer.start(directory, opened, new ServedNode(node, opened));
    }

    private Engine openEngine() {
        return switch (engine) {
            case LSM -> {
                Engine opened = lsmOpener.open(data.toAbsolutePath(), checked(() -> archive.applyTo(lsmOptions())));
                archived = opened instanceof LsmEngine lsmEngine ? lsmEngine : null;
                yield opened;
            }
            case ROCKSDB -> {
                RocksDbOptions options = RocksDbOptions.defaults().withDurability(durability);
                yield RocksDbEngine.open(
                        data.toAbsolutePath(), rocksDbPreset == null ? options : options.withPreset(rocksDbPreset));
            }
            case CASSANDRA -> CassandraEngine.open(cassandraOptions());
        };
    }

    /// Opens a small store of the same engine and durability.
    private Engine openScratch(Path directory) {
        return switch (engine) {
            case LSM -> lsmOpener.open(directory, WarmUpFlags.small(lsmOptions()));
            case ROCKSDB ->
                RocksDbEngine.open(directory, RocksDbOptions.defaults().withDurability(durability));
            case CASSANDRA -> throw new IllegalStateException("a cluster is not warmed up");
        };
    }

    private CassandraOptions cassandraOptions() {
        return checked(cassandra::options);
    }

    private LsmOptions lsmOptions() {
        return checked(() -> lsm.options(durability));
    }

    /// Defaults that depend on the machine or on other options, by key; empty where nothing is set.
    ///
    /// @param options that [#obstacle] does not refuse
    public static Map<String, String> computedDefaults(List<String> options) {
        ServeCommand serve = new ServeCommand();
        OptionTypes.register(new CommandLine(serve)).parseArgs(options.toArray(String[]::new));
        NodeOptions node = serve.nodeOptions();
        Map<String, String> values = new HashMap<>();
        values.put("event-loops", String.valueOf(node.eventLoops()));
        values.put("admission.connections", String.valueOf(node.limits().maxConnections()));
        values.put("admission.queued", SizeOption.text(node.limits().maxBufferedBodyBytes()));
        values.put(
                "admission.target-delay",
                String.valueOf(node.admission().targetDelay().toMillis()));
        values.putAll(PoolFlags.computedDefaults(node));
        values.putAll(LsmFlags.computedDefaults(serve.lsmOptions()));
        values.put("cassandra.ranges", String.valueOf(serve.cassandraOptions().maxRanges()));
        NOT_SET.forEach(key -> values.put(key, ""));
        return values;
    }

    /// Builds options; reports an invalid combination as a usage error.
    private <T> T checked(Supplier<T> options) {
        try {
            return options.get();
        } catch (IllegalArgumentException invalid) {
            throw wrong(String.valueOf(invalid.getMessage()));
        }
    }

    private void refuse(@Nullable String obstacle) {
        if (obstacle != null) {
            throw wrong(obstacle);
        }
    }

    private boolean isSet(String... beginnings) {
        return !OptionGroups.given(spec(), beginnings).isEmpty();
    }

    private NodeOptions nodeOptions() {
        if (isSet("--lsm.", "--max-data", "--changes-retain") && engine != EngineKind.LSM) {
            throw wrong("'--max-data', '--changes-retain' and the options '--lsm...' need '--engine lsm'");
        }
        if (rocksDbPreset != null && engine != EngineKind.ROCKSDB) {
            throw wrong("'--rocksdb.preset' needs '--engine rocksdb'");
        }
        if (isSet("--cassandra.") && engine != EngineKind.CASSANDRA && !mirror.isToCluster()) {
            throw wrong("the options '--cassandra...' need '--engine cassandra'");
        }
        refuse(mirror.obstacle(engine, data));
        if (isSet("--archive-") && !archive.isOn()) {
            throw wrong("the options '--archive-...' need '--archive TARGET'");
        }
        refuse(archive.obstacle(engine, data));
        refuse(pool.obstacle(executor, spec()));
        return checked(() -> {
            NodeOptions options = watch.applyTo(NodeOptions.defaults().withExecutor(executor));
            options = resp.applyTo(access.applyTo(exposure.applyTo(admission.applyTo(pool.applyTo(options)))))
                    .with(o -> {
                        o.host = host;
                        o.port = port;
                        o.identity = Build.own().with(engine, durability);
                        o.readOnly = readOnly;
                        o.warmUp = warmUp.duration(engine);
                        o.data = engine == EngineKind.CASSANDRA ? null : data;
                        o.safepoints = safepoints;
                        o.eventLoops = eventLoops == null ? o.eventLoops : eventLoops;
                        o.transport = transport == null ? o.transport : transport;
                        o.drainTimeout = drainSeconds == null ? o.drainTimeout : Duration.ofSeconds(drainSeconds);
                    });
            access.check(options);
            return options;
        });
    }

    /// The operations of a node for operators' commands.
    ///
    /// @param engine of the node, which may be a mirror
    record ServedNode(Node node, Engine engine) implements NodeControl {

        /// Maximum time that a switch-over waits for unfinished writes.
        private static final Duration SWITCH_LIMIT = Duration.ofSeconds(10);

        @Override
        public List<String> slowRequests(boolean json) {
            return node.slowRequests(json).lines().toList();
        }

        @Override
        public void told(String command, String words, boolean changes) {
            node.told(command, words, changes);
        }

        @Override
        public void readOnly(boolean wanted) {
            node.readOnly(wanted);
        }

        @Override
        public List<String> moveStatus() {
            return engine instanceof MirrorEngine<?> mirror ? mirror.status().lines() : NodeControl.super.moveStatus();
        }

        @Override
        public void switchOver() {
            if (engine instanceof MirrorEngine<?> mirror) {
                mirror.switchOver(SWITCH_LIMIT);
            } else {
                NodeControl.super.switchOver();
            }
        }
    }

    /// Reads `--durability`; [Durability#parse] decides which values are valid.
    public static final class DurabilityOption implements ITypeConverter<Durability> {

        @Override
        public Durability convert(String text) {
            try {
                return Durability.parse(text.toLowerCase(Locale.ROOT));
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(String.valueOf(wrong.getMessage()));
            }
        }
    }
}
