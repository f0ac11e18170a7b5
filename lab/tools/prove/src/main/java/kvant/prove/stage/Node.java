package kvant.prove.stage;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import kvant.lab.process.KvantProgram;
import kvant.lab.process.ProcessFamily;
import kvant.lab.run.Launch;
import kvant.lab.run.ServedProcess;
import kvant.lab.run.ServedProcess.ServerException;
import kvant.load.http.Target;
import kvant.load.loop.StopSwitch;

/// A real `kvant serve` in a process of its own that is ready, and the signals for it.
///
/// Belongs to one thread, except for [#close].
public final class Node implements AutoCloseable {

    private static final Duration START = Duration.ofMinutes(5);
    private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long LOOK_MILLIS = 2;

    /// Small and quick to start: many live for a second or two.
    private static final List<String> JVM = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    /// How a node is started.
    ///
    /// @param arguments of `kvant serve`, without port and data
    /// @param environment added to that of this process, such as `LD_PRELOAD`
    public record Start(List<String> arguments, Map<String, String> environment) {

        public static Start of(String... arguments) {
            return new Start(List.of(arguments), Map.of());
        }

        public Start and(String... more) {
            return new Start(Stream.concat(arguments.stream(), Stream.of(more)).toList(), environment);
        }

        public Start with(Map<String, String> variables) {
            return new Start(arguments, variables);
        }

        private List<String> command(Path data) {
            List<String> words = new ArrayList<>(List.of("serve", "--port", "0", "--warm-up", "0"));
            words.addAll(List.of("--data", data.toString()));
            words.addAll(arguments);
            return KvantProgram.command(JVM, words);
        }
    }

    private final Stage stage;
    private final ServedProcess process;
    private final Target target;
    private final long readyNanos;

    private Node(Stage stage, ServedProcess process, Target target, long readyNanos) {
        this.stage = stage;
        this.process = process;
        this.target = target;
        this.readyNanos = readyNanos;
    }

    /// Starts one and waits until it is ready.
    ///
    /// @throws IOException where it ends before or does not become ready
    public static Node start(Stage stage, Path data, Start how) throws IOException {
        long begin = System.nanoTime();
        ServedProcess process = launch(stage, data, how);
        try {
            return new Node(stage, process, process.awaitReady(new StopSwitch()), System.nanoTime() - begin);
        } catch (ServerException e) {
            throw new IOException("the node over " + data + ": " + e.getMessage() + " (see " + process.log() + ")", e);
        }
    }

    /// Starts one and does not wait: for a node that is killed before it is ready.
    public static ServedProcess launch(Stage stage, Path data, Start how) throws IOException {
        Path folder = Files.createTempDirectory(stage.folder(), "node");
        Path log = folder.resolve("log");
        Path none = folder.resolve("none"); // nothing is recorded
        String ready = Launch.URL + "/readyz";
        List<String> words = how.command(data);
        Launch launch = new Launch(words, folder, how.environment(), "", ready, START, log, none, none);
        return stage.keep(new Kept(ServedProcess.start(launch))).process();
    }

    /// A trial that fails leaves no process, not even one that stands still.
    private record Kept(ServedProcess process) implements AutoCloseable {

        @Override
        public void close() {
            process.handle().destroyForcibly();
            process.close();
        }
    }

    public URI uri() {
        return URI.create(target.scheme() + "://" + target.authority());
    }

    public long pid() {
        return process.pid();
    }

    /// How long it took from the start of its process until it was ready.
    public long readyNanos() {
        return readyNanos;
    }

    public Path log() {
        return process.log();
    }

    public boolean isAlive() {
        return ProcessFamily.isRunning(process.handle());
    }

    /// Whether one that was launched has said that it listens, which it does when it is recovered.
    public static boolean saysReady(ServedProcess process) throws IOException {
        return Files.readString(process.log()).contains("listening on ");
    }

    /// KILL: SIGKILL, and returns when the process is gone.
    public void kill() {
        kill(stage, process);
    }

    public static void kill(Stage stage, ServedProcess process) {
        stage.drop(new Kept(process));
    }

    /// STOP: SIGSTOP, and returns when each of its threads stands still.
    public void pause() throws IOException, InterruptedException {
        pause(process);
    }

    public static void pause(ServedProcess process) throws IOException, InterruptedException {
        Tool.run("kill", "-STOP", Long.toString(process.pid()));
        long deadline = System.nanoTime() + STOP_NANOS;
        while (!standsStill(process.pid())) {
            if (System.nanoTime() > deadline) {
                throw new IOException("process " + process.pid() + " does not stop");
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    private static boolean standsStill(long pid) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
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
        Tool.run("kill", "-CONT", Long.toString(pid()));
    }

    /// SIGTERM, and waits: an orderly stop.
    @Override
    public void close() {
        process.close();
        kill();
    }
}
