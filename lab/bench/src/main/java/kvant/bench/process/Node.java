package kvant.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import kvant.lab.process.KvantProgram;
import kvant.lab.process.ProcessSampler;
import kvant.lab.run.Launch;
import kvant.lab.run.ServedProcess;
import kvant.lab.run.ServedProcess.ServerException;
import kvant.load.http.Target;
import kvant.load.loop.StopSwitch;

/// A server in a separate process, ready for requests: a node of Kvant, or another program.
///
/// Belongs to one thread, except for [#close()].
public final class Node implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(60);

    private final String name;
    private final Path data;
    private final ServedProcess process;
    private final Target target;

    private Node(String name, Path data, ServedProcess process, Target target) {
        this.name = name;
        this.data = data;
        this.process = process;
        this.target = target;
    }

    /// The configuration of a node's start.
    ///
    /// @param prefix words before its command, such as `taskset -c 0`; they must end in the node (`exec`)
    /// @param jvm options of its JVM
    /// @param arguments of `kvant serve`, without port and data
    public record Start(List<String> prefix, List<String> jvm, List<String> arguments) {

        public static Start of(String... arguments) {
            return new Start(List.of(), List.of(), List.of(arguments));
        }

        public Start prefixed(List<String> words) {
            return new Start(concat(words, prefix), jvm, arguments);
        }

        public Start with(List<String> more) {
            return new Start(prefix, jvm, concat(arguments, more));
        }

        public Start withJvm(List<String> more) {
            return new Start(prefix, concat(jvm, more), arguments);
        }

        private static List<String> concat(List<String> some, List<String> others) {
            List<String> all = new ArrayList<>(some);
            all.addAll(others);
            return all;
        }
    }

    /// Starts a node with the benchmark's folder `NAME.data`, and waits until it is ready.
    public static Node start(Workbench bench, String name, Start how) throws IOException {
        return start(bench, name, bench.folder().resolve(name + ".data"), how);
    }

    public static Node start(Workbench bench, String name, Path data, Start how) throws IOException {
        // A node reports its port, unless it uses TLS.
        int port = how.arguments().contains("--tls-cert") ? Programs.freePort() : 0;
        String url = port == 0 ? "" : Target.HTTPS + "://127.0.0.1:" + port;
        List<String> arguments = new ArrayList<>(List.of("serve", "--port", Integer.toString(port)));
        if (!how.arguments().contains("cassandra")) { // which stores its data elsewhere
            arguments.addAll(List.of("--data", data.toString()));
        }
        arguments.addAll(how.arguments());
        List<String> words = new ArrayList<>(how.prefix());
        words.addAll(KvantProgram.command(how.jvm(), arguments));
        return start(bench, name, data, words, url, (port == 0 ? Launch.URL : url) + "/readyz");
    }

    /// Starts another program, and waits until it answers.
    ///
    /// @param url to poll
    public static Node program(Workbench bench, String name, List<String> command, String url) throws IOException {
        return start(bench, name, bench.folder(), command, url, url);
    }

    private static Node start(Workbench bench, String name, Path data, List<String> command, String url, String ready)
            throws IOException {
        Path folder = Files.createTempDirectory(bench.folder(), "served");
        Path none = folder.resolve("none"); // nothing is recorded
        Launch launch = new Launch(command, folder, Map.of(), url, ready, START, folder.resolve("log"), none, none);
        try {
            ServedProcess process = bench.keep(ServedProcess.start(launch));
            return new Node(name, data, process, process.awaitReady(new StopSwitch()));
        } catch (ServerException e) {
            throw new IOException("the server '" + name + "': " + e.getMessage(), e);
        }
    }

    public String name() {
        return name;
    }

    public Path data() {
        return data;
    }

    public Target target() {
        return target;
    }

    /// Without a trailing slash.
    public String url() {
        return target.scheme() + "://" + target.authority();
    }

    public long pid() {
        return process.pid();
    }

    /// Its output; complete once it is closed.
    public Path log() {
        return process.log();
    }

    /// User and system time of its processes so far.
    public long cpuNanos() {
        return ProcessSampler.look(process.handle()).cpuNanos();
    }

    @Override
    public void close() {
        process.close();
    }
}
