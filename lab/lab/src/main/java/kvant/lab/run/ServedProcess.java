package kvant.lab.run;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.lab.process.ProcessFamily;
import kvant.lab.process.ServerOutput;
import kvant.lab.process.ServerOutput.ErrorLine;
import kvant.lab.result.Remark;
import kvant.load.http.Target;
import kvant.load.loop.StopSwitch;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// A server started by the laboratory, and its output.
///
/// Belongs to the thread of the run; any thread may call [#kill].
public final class ServedProcess implements AutoCloseable {

    private static final Pattern LISTENING = Pattern.compile("(?m)^listening on (http://\\S+)$");
    private static final Pattern SPEAKS_RESP = Pattern.compile("(?m)^RESP on (redis://\\S+)$");

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final String SETTINGS = "KVANT_";
    private static final String LAUNCHER = "KVANT_JAVA";
    private static final long STOP_SECONDS = 45;
    private static final long REAPED_SECONDS = 2;

    private static final int ASK_MILLIS = 1000;
    private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PONG = "+PONG\r\n".getBytes(StandardCharsets.US_ASCII);

    // Constant.
    private final Launch launch;
    private final Process process;
    private final ProcessFamily family;
    private final ServerOutput output;

    private ServedProcess(Launch launch, Process process, ServerOutput output) {
        this.launch = launch;
        this.process = process;
        this.family = new ProcessFamily(process.toHandle());
        this.output = output;
    }

    /// @throws UserException when the program does not exist
    public static ServedProcess start(Launch launch) {
        ProcessBuilder builder =
                new ProcessBuilder(launch.command()).directory(launch.folder().toFile());
        leaveOutSettings(builder.environment());
        builder.environment().putAll(launch.environment());
        try {
            ServerOutput output = new ServerOutput(launch.log());
            Process process = builder.redirectErrorStream(true)
                    .redirectOutput(output.redirect())
                    .start();
            process.getOutputStream().close(); // no input
            output.keepBounded();
            return new ServedProcess(launch, process, output);
        } catch (IOException e) {
            throw new ServerException(
                    new Remark.CannotStart(launch.command().getFirst(), String.valueOf(e.getMessage())));
        }
    }

    /// Removes the user's settings for nodes from the environment: only the settings of the experiment apply.
    static void leaveOutSettings(Map<String, String> environment) {
        environment.keySet().removeIf(name -> name.startsWith(SETTINGS) && !name.startsWith(LAUNCHER));
    }

    public long pid() {
        return process.pid();
    }

    /// The file for its output.
    public Path log() {
        return output.file();
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    /// The exit code of an ended process.
    int exitCode() {
        return process.exitValue();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// True if neither it nor any descendant is running.
    boolean isGone() {
        return family.isGone();
    }

    /// Waits until the server can be measured.
    ///
    /// @throws ServerException when it ends, is not ready in time, or the run is stopped
    public Target awaitReady(StopSwitch stop) {
        Duration limit = launch.startTimeout();
        long deadline = System.nanoTime() + limit.toNanos();
        while (System.nanoTime() < deadline) {
            family.look();
            boolean speaksResp = launch.url().equals(Launch.RESP);
            String asked = launch.url().isEmpty() || speaksResp ? said(LISTENING) : launch.url();
            String loaded = speaksResp ? said(SPEAKS_RESP) : asked;
            if (asked != null && loaded != null && answers(launch.ready().replace(Launch.URL, asked))) {
                return Target.parse(loaded);
            }
            if (!process.isAlive()) {
                throw new ServerException(new Remark.ServerEnded(process.exitValue(), lastWords()));
            }
            if (stop.isStopped()) {
                throw new ServerException(new Remark.StoppedBeforeItsEnd());
            }
            stop.sleep(LOOK_NANOS);
        }
        throw new ServerException(new Remark.ServerNotReady(limit.toNanos(), lastWords()));
    }

    /// True if a server answers: HTTP below 400, or `PONG` for the Redis protocol.
    static boolean answers(String url) {
        try {
            return url.startsWith(Target.REDIS + ":") ? pong(Target.parse(url).address()) : isBelow400(url);
        } catch (IOException _) {
            return false; // not ready yet
        }
    }

    private static boolean isBelow400(String url) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(url).toURL().openConnection();
        try {
            connection.setConnectTimeout(ASK_MILLIS);
            connection.setReadTimeout(ASK_MILLIS);
            return connection.getResponseCode() < HttpURLConnection.HTTP_BAD_REQUEST;
        } finally {
            connection.disconnect();
        }
    }

    private static boolean pong(InetSocketAddress address) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(address, ASK_MILLIS);
            socket.setSoTimeout(ASK_MILLIS);
            socket.getOutputStream().write(PING);
            return Arrays.equals(socket.getInputStream().readNBytes(PONG.length), PONG);
        }
    }

    private @Nullable String said(Pattern where) {
        Matcher matcher = where.matcher(output.begin());
        return matcher.find() ? matcher.group(1) : null;
    }

    /// The line of its output with the reason for its end.
    String lastWords() {
        return ErrorLine.of(output.end());
    }

    /// Asks it and its descendants to end; a JVM then writes its recording. Kills those that take too long.
    ///
    /// @return true if all of them ended by themselves
    boolean stop() {
        try (output) {
            boolean orderly = family.end(STOP_SECONDS);
            awaitReaped();
            return orderly;
        }
    }

    /// Waits until the JVM has read the exit code of the ended process, which until then is listed as a process.
    private void awaitReaped() {
        try {
            boolean _ = process.waitFor(REAPED_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Kills it.
    void kill() {
        try (output) {
            boolean _ = family.endByForce(STOP_SECONDS);
            awaitReaped();
        }
    }

    @Override
    public void close() {
        try (output) {
            if (!isGone()) {
                boolean _ = stop();
            }
        }
    }

    /// A server cannot be measured. The reason is data for the record of the step. When a run throws it, no
    /// server could start and nothing was created, and the reason is that of the first server.
    public static final class ServerException extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final transient Remark reason;

        ServerException(Remark reason) {
            super(reason.toString());
            this.reason = reason;
        }

        public Remark reason() {
            return reason;
        }
    }
}
