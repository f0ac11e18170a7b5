package kvant.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import kvant.text.child.QuickJvm;

/// A real `kvant` in a process of its own, started as the launcher starts it but from the test's class path.
///
/// Both output streams are read all the time by threads of their own, so that the child never waits for the test.
public final class ChildNode implements AutoCloseable {

    static final String MAIN = "kvant.cli.Main";

    private static final String READY = "listening on ";
    private static final long START_SECONDS = 60;
    private static final long STOP_SECONDS = 60;

    private final Process process;
    private final Lines stdout;
    private final Lines stderr;
    private String url = "";

    private ChildNode(Process process) {
        this.process = process;
        this.stdout = new Lines(process.inputReader(StandardCharsets.UTF_8), "child-stdout");
        this.stderr = new Lines(process.errorReader(StandardCharsets.UTF_8), "child-stderr");
    }

    /// Runs any command of `kvant`.
    public static ChildNode run(List<String> jvmOptions, List<String> arguments) throws IOException {
        return run(List.of(), jvmOptions, arguments);
    }

    /// @param prefix what becomes the JVM, such as a shell that sets a limit first
    public static ChildNode run(List<String> prefix, List<String> jvmOptions, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(QuickJvm.words());
        command.addAll(jvmOptions);
        command.addAll(ChildClasses.options());
        command.add(MAIN);
        command.addAll(arguments);
        return new ChildNode(new ProcessBuilder(command).start());
    }

    /// Starts a node on a free port and waits until it is ready.
    public static ChildNode serve(Path data, String... options) throws IOException, InterruptedException {
        ChildNode node = run(List.of("-Xmx256m"), serveArguments(data, options));
        node.awaitReady();
        return node;
    }

    public static List<String> serveArguments(Path data, String... options) {
        List<String> arguments =
                new ArrayList<>(List.of("serve", "--port", "0", "--warm-up", "0", "--data", data.toString()));
        arguments.addAll(List.of(options));
        return arguments;
    }

    public void awaitReady() throws InterruptedException {
        String line = stdout.poll(START_SECONDS);
        assertThat(line)
                .as(() -> "first line of stdout; stderr: " + stderr.soFar())
                .startsWith(READY);
        url = line.substring(READY.length());
    }

    public String url() {
        return url;
    }

    public int port() {
        return URI.create(url).getPort();
    }

    public long pid() {
        return process.pid();
    }

    /// SIGTERM. Through the handle, because `Process#destroy` closes the streams too, and with them the last words.
    public void terminate() {
        process.toHandle().destroy();
    }

    /// SIGKILL, and waits for the end.
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        awaitExit();
    }

    public int awaitExit() throws InterruptedException {
        assertThat(process.waitFor(STOP_SECONDS, TimeUnit.SECONDS))
                .as("the process ended")
                .isTrue();
        return process.exitValue();
    }

    /// SIGTERM, and the exit code.
    public int stop() throws InterruptedException {
        terminate();
        return awaitExit();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /// All of stderr; ends when the process has ended.
    public List<String> stderr() throws InterruptedException {
        return stderr.all();
    }

    /// The lines of stdout after the one that reports readiness; complete when the process has ended.
    public List<String> restOfStdout() throws InterruptedException {
        return stdout.all();
    }

    @Override
    public void close() {
        process.destroyForcibly()
                .onExit()
                .orTimeout(STOP_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /// Lines of a stream as they come.
    private static final class Lines {

        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        private final Thread reader;

        Lines(BufferedReader stream, String name) {
            reader = Thread.ofVirtual().name(name).start(() -> {
                try (stream) {
                    stream.lines().forEach(lines::add);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } catch (UncheckedIOException _) {
                    // the process was killed while it wrote
                }
            });
        }

        String poll(long seconds) throws InterruptedException {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            while (System.nanoTime() < deadline) {
                String line = lines.poll(50, TimeUnit.MILLISECONDS);
                if (line != null) {
                    return line;
                }
                if (!reader.isAlive() && lines.isEmpty()) {
                    return "(nothing: the stream ended)";
                }
            }
            return "(nothing within " + seconds + " s)";
        }

        List<String> all() throws InterruptedException {
            assertThat(reader.join(Duration.ofSeconds(STOP_SECONDS)))
                    .as("the stream ended")
                    .isTrue();
            return soFar();
        }

        List<String> soFar() {
            return List.copyOf(lines);
        }
    }
}
