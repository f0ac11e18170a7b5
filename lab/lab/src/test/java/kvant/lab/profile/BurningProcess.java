package kvant.lab.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import kvant.lab.profile.SlowWindows.SlowWindow;

/// A child that runs [Burning].
final class BurningProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader lines;

    private BurningProcess(Process process) {
        this.process = process;
        this.lines = process.inputReader(StandardCharsets.UTF_8);
    }

    static BurningProcess start(String... jvmOptions) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-Xlog:disable"));
        command.addAll(List.of(jvmOptions));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Burning.class.getName()));
        BurningProcess burning = new BurningProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
        assertThat(burning.lines.readLine()).isEqualTo("ready");
        return burning;
    }

    long pid() {
        return process.pid();
    }

    /// Waits for so many slow requests that begin from now on.
    List<SlowWindow> slowRequests(int wanted) throws IOException {
        long now = System.nanoTime();
        List<SlowWindow> windows = new ArrayList<>();
        while (windows.size() < wanted) {
            String[] words = String.valueOf(lines.readLine()).split(" ");
            assertThat(words).as("a line of the child").hasSize(3);
            SlowWindow window = new SlowWindow(Long.parseLong(words[1]), Long.parseLong(words[2]), Set.of());
            if (window.fromNanos() >= now) {
                windows.add(window);
            }
        }
        return windows;
    }

    /// SIGKILL, and waits for the end.
    void kill() throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    /// Ends it in order; what does not end is killed.
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit()
                .orTimeout(20, TimeUnit.SECONDS)
                .exceptionally(_ -> process.destroyForcibly())
                .join();
    }
}
