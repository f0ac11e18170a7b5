package kvant.lab.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.lab.process.ErrorLine;
import kvant.lab.process.ProcessFamily;
import kvant.lab.result.Remark;
import kvant.load.http.Target;
import kvant.load.loop.StopSwitch;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// A server that the laboratory started, and what it says.
///
/// Owned by the thread of the run; [#kill] may be called by any. Its output is read by a thread of
/// its own, so that it never waits for the laboratory; what is beyond a bound is read and
/// forgotten.
public final class ServedProcess implements AutoCloseable {

    private static final Pattern LISTENING = Pattern.compile("(?m)^listening on (http://\\S+)$");
    private static final Pattern SPEAKS_RESP = Pattern.compile("(?m)^RESP on (redis://\\S+)$");

    /// What is kept of the output.
    private static final int LONGEST_LOG = 8 << 20;

    /// Where a node says its URL.
    private static final int LONGEST_START = 64 << 10;

    /// Of the output, what may hold the reason of an end.
    private static final int LONGEST_END = 16 << 10;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final String SETTINGS = "KVANT_";
    private static final String LAUNCHER = "KVANT_JAVA";
    private static final long STOP_SECONDS = 45;

    // Constant.
    private final Launch launch;
    private final Process process;
    private final ProcessFamily family;
    private final Thread reader;

    // Guarded by itself.
    private final StringBuilder start = new StringBuilder();

    // Guarded by `start`.
    private final StringBuilder end = new StringBuilder();

    private ServedProcess(Launch launch, Process process) {
        this.launch = launch;
        this.process = process;
        this.family = new ProcessFamily(process.toHandle()); // through Process its output would be closed
        this.reader = Thread.ofPlatform().daemon().name("kvant-lab-output").start(this::read);
    }

    /// @throws UserException where there is no such program
    public static ServedProcess start(Launch launch) {
        ProcessBuilder builder = new ProcessBuilder(launch.command())
                .directory(launch.folder().toFile())
                .redirectErrorStream(true);
        leaveOutSettings(builder.environment());
        builder.environment().putAll(launch.environment());
        try {
            Process process = builder.start();
            process.getOutputStream().close(); // it has nobody to ask
            return new ServedProcess(launch, process);
        } catch (IOException e) {
            throw new ServerException(
                    new Remark.CannotStart(launch.command().getFirst(), String.valueOf(e.getMessage())));
        }
    }

    /// What is measured is what the experiment says, and no setting that somebody has for nodes of his own.
    static void leaveOutSettings(Map<String, String> environment) {
        environment.keySet().removeIf(name -> name.startsWith(SETTINGS) && !name.startsWith(LAUNCHER));
    }

    private void read() {
        byte[] buffer = new byte[8192];
        long kept = 0;
        try (InputStream in = process.getInputStream();
                OutputStream log = Files.newOutputStream(launch.log())) {
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (kept < LONGEST_LOG) {
                    log.write(buffer, 0, length);
                    kept += length;
                }
                keep(new String(buffer, 0, length, StandardCharsets.UTF_8));
            }
        } catch (IOException _) {
            // the process was killed while it wrote, or the disk is full, which other files will tell
        }
    }

    private void keep(String text) {
        synchronized (start) {
            if (start.length() < LONGEST_START) {
                start.append(text);
            }
            end.append(text);
            end.delete(0, Math.max(0, end.length() - LONGEST_END));
        }
    }

    public long pid() {
        return process.pid();
    }

    /// What gets its output.
    public Path log() {
        return launch.log();
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    /// Of a process that has ended.
    int exitCode() {
        return process.exitValue();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// Whether nothing is left of it, nor of what it started.
    boolean isGone() {
        return family.isGone();
    }

    /// Waits until the server can be measured.
    ///
    /// @throws ServerException where it ends, or is not ready in time, or the run is stopped
    public Target awaitReady(StopSwitch stop) {
        Duration limit = launch.startTimeout();
        long deadline = System.nanoTime() + limit.toNanos();
        while (System.nanoTime() < deadline) {
            family.look();
            boolean speaksResp = launch.url().equals(Launch.RESP);
            String asked = launch.url().isEmpty() || speaksResp ? said(LISTENING) : launch.url();
            String loaded = speaksResp ? said(SPEAKS_RESP) : asked;
            if (asked != null && loaded != null && Readiness.of(launch.ready().replace(Launch.URL, asked))) {
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

    private @Nullable String said(Pattern where) {
        synchronized (start) {
            Matcher matcher = where.matcher(start);
            return matcher.find() ? matcher.group(1) : null;
        }
    }

    /// The line of its output that says why it ended.
    String lastWords() {
        joinReader(1);
        synchronized (start) {
            return ErrorLine.of(end.toString());
        }
    }

    private void joinReader(long seconds) {
        try {
            reader.join(Duration.ofSeconds(seconds));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Asks it to end, which is when a JVM writes its recording down, and all that it started; ends by force what
    /// takes too long.
    ///
    /// @return whether all of it ended by itself
    boolean stop() {
        boolean orderly = family.end(STOP_SECONDS);
        joinReader(2);
        return orderly;
    }

    /// Ends it at once.
    void kill() {
        boolean _ = family.endByForce(STOP_SECONDS);
    }

    @Override
    public void close() {
        if (!isGone()) {
            boolean _ = stop();
        }
    }
}
