package kvant.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import kvant.lab.process.AwakeProcessors;
import kvant.lab.result.Remark;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// What must not outlive a run: the served processes, the folder with its data, and processors that may not sleep. A
/// note of the first two stands in the folder of results, so that even after `kill -9` of the laboratory a `--resume`
/// finds and ends them; the third ends with the laboratory.
///
/// Used by the thread of the run, and by the one that ends the JVM.
final class RunResources {

    private static final String NOTE = ".kvant-lab-running";

    // Constant.
    private final Path note;
    private final WorkFolder work;

    // Guarded by this.
    private final List<ServedProcess> served = new ArrayList<>();
    private @Nullable AwakeProcessors awake;
    private boolean closed;

    /// @param results the folder of results
    RunResources(Path results, WorkFolder work) {
        this.note = results.resolve(NOTE);
        this.work = work;
        Folders.write(note, work.root().toAbsolutePath() + "\n");
    }

    WorkFolder work() {
        return work;
    }

    /// Keeps the processors from sleeping from now on.
    ///
    /// @return what the report has to tell of it
    synchronized Remark keepAwake() {
        try {
            awake = AwakeProcessors.hold();
            return new Remark.ProcessorsKeptAwake();
        } catch (IOException e) {
            return new Remark.ProcessorsMaySleep(Folders.reason(e));
        }
    }

    /// Starts a process that is ended at the latest when the laboratory ends.
    synchronized ServedProcess start(Launch launch) {
        if (closed) {
            throw new UserException("stopped");
        }
        ServedProcess started = ServedProcess.start(launch);
        served.removeIf(ServedProcess::isGone);
        served.add(started);
        String lines = served.stream().map(RunResources::line).collect(Collectors.joining());
        Folders.write(note, work.root().toAbsolutePath() + "\n" + lines);
        return started;
    }

    private static String line(ServedProcess one) {
        long startMillis =
                one.handle().info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        return one.pid() + " " + startMillis + "\n";
    }

    /// Ends and deletes. Once is enough; the run and the end of the JVM may both ask.
    ///
    /// @throws UserException where something is left
    synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        served.forEach(ServedProcess::kill);
        try (AwakeProcessors _ = awake) {
            work.delete();
            Files.deleteIfExists(note);
        } catch (IOException e) {
            throw new UserException("cannot delete " + work.root() + ": " + Folders.reason(e), e);
        }
    }

    /// Ends and deletes what a run left that had no time to do so.
    static void clearRemains(Path results) {
        Path note = results.resolve(NOTE);
        try {
            if (!Files.isRegularFile(note)) {
                return;
            }
            List<String> lines = Files.readAllLines(note);
            lines.stream().skip(1).forEach(line -> endProcess(line.split(" ")));
            if (!lines.isEmpty()) {
                WorkFolder.deleteRemains(Path.of(lines.getFirst()));
            }
            Files.deleteIfExists(note);
        } catch (IOException e) {
            throw new UserException("cannot clean up after the run before: " + Folders.reason(e), e);
        }
    }

    /// Only the very process: its number may have gone to another since.
    private static void endProcess(String[] words) {
        if (words.length != 2 || !words[0].matches("\\d{1,18}") || !words[1].matches("\\d{1,18}")) {
            return;
        }
        ProcessHandle.of(Long.parseLong(words[0])).ifPresent(handle -> {
            long millis =
                    handle.info().startInstant().map(Instant::toEpochMilli).orElse(-1L);
            if (millis == Long.parseLong(words[1])) {
                handle.descendants().forEach(ProcessHandle::destroyForcibly);
                handle.destroyForcibly();
                handle.onExit()
                        .orTimeout(10, TimeUnit.SECONDS)
                        .exceptionally(_ -> handle)
                        .join();
            }
        });
    }
}
