package kvant.lab.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import kvant.lab.experiment.Experiment.Niceness;
import kvant.lab.experiment.Variant.Server;
import kvant.lab.process.ProgramPath;
import kvant.load.dialect.Dialect;

/// The start of a served process.
///
/// @param url of the server; empty if the server prints it, or [#RESP] if it prints its RESP address
/// @param ready URL to poll, with [#URL] for the URL printed by the server
/// @param log file for its output
/// @param recording absolute path of the JVM's flight recording; it may never be written
/// @param gcLog likewise
public record Launch(
        List<String> command,
        Path folder,
        Map<String, String> environment,
        String url,
        String ready,
        Duration startTimeout,
        Path log,
        Path recording,
        Path gcLog) {

    public static final String URL = "${url}";

    static final String RESP = "${resp}";

    /// @param results folder for its log, recording and GC log
    /// @param work a folder for its data
    /// @param settings of the flight recorder
    static Launch of(Server server, KvantCommand kvant, Path results, Path work, Path settings) {
        Path recording = results.resolve("node.jfr").toAbsolutePath();
        Path gcLog = results.resolve("gc.log").toAbsolutePath();
        Path log = results.resolve("node.log");
        String data = work.resolve("data").toAbsolutePath().toString();
        return switch (server) {
            case Server.Kvant node -> {
                List<String> jvm = new ArrayList<>(node.jvm());
                jvm.addAll(recordingOptions(Path.of("node.jfr"), Path.of("gc.log"), work, settings));
                List<String> arguments = new ArrayList<>(List.of("--port", "0", "--data", data));
                arguments.addAll(node.arguments());
                // Started in the folder of the step, so that options which treat commas and colons specially do not
                // contain a path chosen by the user.
                String url = node.dialect() == Dialect.RESP ? RESP : "";
                List<String> words = kvant.serve(node.program(), jvm, arguments);
                Duration timeout = node.program().startTimeout();
                yield new Launch(words, results, Map.of(), url, URL + "/readyz", timeout, log, recording, gcLog);
            }
            case Server.External external -> external(external, data, log, recording, gcLog, work, settings);
        };
    }

    private static Launch external(
            Server.External external, String data, Path log, Path recording, Path gcLog, Path work, Path settings) {
        Places places = Places.free(data);
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("PATH", ProgramPath.text());
        external.environment().forEach((key, value) -> environment.put(key, places.in(value)));
        if (external.isJava()) {
            List<String> options = new ArrayList<>(external.jvm());
            options.addAll(recordingOptions(recording, gcLog, work, settings));
            environment.put(
                    "JDK_JAVA_OPTIONS",
                    options.stream().map(option -> '"' + option + '"').collect(Collectors.joining(" ")));
        }
        return new Launch(
                external.command().stream().map(places::in).toList(),
                Path.of(external.folder()),
                environment,
                places.in(external.url()),
                places.in(external.ready()),
                external.startTimeout(),
                log,
                recording,
                gcLog);
    }

    /// The same with lower priority: the generator then sends on time even if the server uses all processors.
    Launch withNice(Niceness nice) {
        return new Launch(nice.of(command), folder, environment, url, ready, startTimeout, log, recording, gcLog);
    }

    /// Values for the placeholders in texts of another server.
    private record Places(int port, int port2, String data) {

        /// Ports that are free now. Another process may take one before the server starts; the start then fails and
        /// reports it.
        static Places free(String data) {
            try (ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                return new Places(one.getLocalPort(), other.getLocalPort(), data);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        String in(String text) {
            return text.replace("${port}", Integer.toString(port))
                    .replace("${port2}", Integer.toString(port2))
                    .replace("${data}", data);
        }
    }

    /// JVM options for recording, which change nothing else in the server.
    private static List<String> recordingOptions(Path recording, Path gcLog, Path work, Path settings) {
        return List.of(
                "-XX:FlightRecorderOptions:repository=" + work.toAbsolutePath(),
                "-XX:StartFlightRecording:settings=" + settings.toAbsolutePath() + ",filename=" + recording
                        + ",maxsize=512m,dumponexit=true",
                "-Xlog:gc*,safepoint:file=" + gcLog + "::filecount=1,filesize=64m");
    }

    /// The command that starts a node of the Kvant running the laboratory: the same program, in a separate
    /// process.
    ///
    /// @param java JVM with the launcher's options
    /// @param main class path and main class
    /// @param bench the same for the benchmarks, or empty if they are not built
    public record KvantCommand(List<String> java, List<String> main, List<String> bench) {

        public KvantCommand {
            java = List.copyOf(java);
            main = List.copyOf(main);
            bench = List.copyOf(bench);
        }

        /// @param jvm options after those of the launcher, so that they take precedence
        List<String> serve(Server.Program program, List<String> jvm, List<String> arguments) {
            List<String> words = new ArrayList<>(java);
            words.addAll(jvm);
            words.addAll(program.isBench() ? bench : main);
            words.add(program.command());
            words.addAll(arguments);
            return words;
        }
    }
}
