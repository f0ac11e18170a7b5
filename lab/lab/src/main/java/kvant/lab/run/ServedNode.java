package kvant.lab.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import kvant.lab.process.KvantProgram;
import kvant.lab.process.ProcessSampler;
import kvant.lab.process.Programs;
import kvant.lab.process.Workbench;
import kvant.load.http.Target;
import kvant.load.loop.StopSwitch;
import org.jspecify.annotations.Nullable;

/// A server in a process of its own, kept by a [Workbench], and the signals for it: a node of Kvant, or another
/// program.
///
/// Belongs to one thread, except for [#close].
public final class ServedNode implements AutoCloseable {

    private static final Duration START = Duration.ofMinutes(5);
    private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long LOOK_MILLIS = 2;

    /// How a node is started.
    ///
    /// @param prefix words before its command, such as `taskset -c 0`; they must end in the node (`exec`)
    /// @param jvm options of its JVM
    /// @param arguments of `kvant serve`, without port and data
    /// @param environment added to that of this process
    public record Start(
            List<String> prefix, List<String> jvm, List<String> arguments, Map<String, String> environment) {

        public static Start of(String... arguments) {
            return new Start(List.of(), List.of(), List.of(arguments), Map.of());
        }

        public Start prefixed(List<String> words) {
            return new Start(concat(words, prefix), jvm, arguments, environment);
        }

        public Start with(List<String> more) {
            return new Start(prefix, jvm, concat(arguments, more), environment);
        }

        public Start withJvm(List<String> more) {
            return new Start(prefix, concat(jvm, more), arguments, environment);
        }

        public Start withEnvironment(Map<String, String> variables) {
            return new Start(prefix, jvm, arguments, variables);
        }

        private static List<String> concat(List<String> some, List<String> others) {
            return Stream.of(some, others).flatMap(List::stream).toList();
        }
    }

    private final Workbench bench;
    private final String name;
    private final Path data;
    private final ServedProcess process;
    private final AutoCloseable end = this::end;
    private final long begin = System.nanoTime();
    private volatile boolean standsStill;
    private @Nullable Target target;
    private long readyNanos;

    private ServedNode(Workbench bench, String name, Path data, Launch launch) {
        this.bench = bench;
        this.name = name;
        this.data = data;
        this.process = ServedProcess.start(launch);
        bench.keep(end);
    }

    /// Starts a node and waits until it is ready.
    ///
    /// @param name of its folder in the workbench
    public static ServedNode start(Workbench bench, String name, Start how) throws IOException {
        return start(bench, bench.folder().resolve(name), how);
    }

    public static ServedNode start(Workbench bench, Path data, Start how) throws IOException {
        return launch(bench, data, how).ready();
    }

    /// Starts a node and does not wait.
    public static ServedNode launch(Workbench bench, Path data, Start how) throws IOException {
        // A node reports its port, unless it uses TLS.
        int port = how.arguments().contains("--tls-cert") ? Programs.freePort() : 0;
        String url = port == 0 ? "" : Target.HTTPS + "://127.0.0.1:" + port;
        List<String> arguments = new ArrayList<>(List.of("serve", "--port", Integer.toString(port)));
        if (!how.arguments().contains("cassandra")) { // which stores its data elsewhere
            arguments.addAll(List.of("--data", data.toString()));
        }
        arguments.addAll(how.arguments());
        List<String> words = Start.concat(how.prefix(), KvantProgram.command(how.jvm(), arguments));
        String ready = (port == 0 ? Launch.URL : url) + "/readyz";
        return launch(bench, data.getFileName().toString(), data, words, how.environment(), url, ready);
    }

    /// Starts another program, and waits until it answers.
    ///
    /// @param url to poll
    public static ServedNode program(Workbench bench, String name, List<String> command, String url)
            throws IOException {
        return launch(bench, name, bench.folder(), command, Map.of(), url, url).ready();
    }

    private static ServedNode launch(
            Workbench bench,
            String name,
            Path data,
            List<String> command,
            Map<String, String> environment,
            String url,
            String ready)
            throws IOException {
        Path folder = Files.createTempDirectory(bench.folder(), "served");
        Path none = folder.resolve("none"); // nothing is recorded
        Launch launch = new Launch(command, folder, environment, url, ready, START, folder.resolve("log"), none, none);
        return new ServedNode(bench, name, data, launch);
    }

    /// @throws IOException where it ends before or does not become ready
    private ServedNode ready() throws IOException {
        try {
            target = process.awaitReady(new StopSwitch());
            readyNanos = System.nanoTime() - begin;
            return this;
        } catch (ServedProcess.ServerException e) {
            throw new IOException("the server '" + name + "': " + e.getMessage() + " (see " + process.log() + ")", e);
        }
    }

    public Path data() {
        return data;
    }

    /// Of one that is ready.
    public Target target() {
        return Objects.requireNonNull(target);
    }

    /// Without a trailing slash.
    public String url() {
        return target().scheme() + "://" + target().authority();
    }

    public URI uri() {
        return URI.create(url());
    }

    public long pid() {
        return process.pid();
    }

    /// Its output; complete once it is closed.
    public Path log() {
        return process.log();
    }

    /// From the start of its process until it was ready.
    public long readyNanos() {
        return readyNanos;
    }

    /// User and system time of its processes so far.
    public long cpuNanos() {
        return ProcessSampler.look(process.handle()).cpuNanos();
    }

    /// SIGKILL, and returns when the process is gone.
    public void kill() {
        process.kill();
        bench.drop(end);
    }

    /// SIGSTOP, and returns when each of its threads stands still.
    public void pause() throws IOException, InterruptedException {
        standsStill = true;
        Programs.run("kill", "-STOP", Long.toString(pid()));
        long deadline = System.nanoTime() + STOP_NANOS;
        while (!threadsStandStill()) {
            if (System.nanoTime() > deadline) {
                throw new IOException("process " + pid() + " does not stop");
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    private boolean threadsStandStill() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid()), "task"))) {
            for (Path thread : threads.toList()) {
                // A thread in the middle of a sync stands still when the sync has ended.
                String stat = Files.readString(thread.resolve("stat"));
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        } catch (NoSuchFileException _) {
            return false; // a thread that has just ended
        }
    }

    /// Continues after [#pause].
    public void resume() throws IOException {
        Programs.run("kill", "-CONT", Long.toString(pid()));
        standsStill = false;
    }

    /// SIGTERM, and waits: an orderly stop.
    @Override
    public void close() {
        bench.drop(end);
    }

    private void end() {
        if (standsStill) {
            process.kill();
        }
        process.close();
    }
}
