package kvant.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import kvant.lab.experiment.Step;
import kvant.lab.process.AwakeProcessors;
import kvant.lab.process.Folders;
import kvant.lab.result.Remark;
import kvant.text.FileTrouble;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// What must not outlive a run: the served processes, the folder with its data, and processors that may not sleep. A
/// note of the first two stands in the folder of results, so that even after `kill -9` of the laboratory a `--resume`
/// finds and ends them; the third ends with the laboratory.
///
/// Used by the thread of the run, and by the one that ends the JVM.
final class RunResources {

    private static final String NOTE = ".kvant-lab-running";

    /// What the folder with the data of a run is called, and what tells it from a folder of the same name.
    static final String WORK_PREFIX = "kvant-lab-";

    private static final String WORK_MARKER = ".kvant-lab-work";

    // Constant.
    private final Path note;
    private final Path work;

    // Guarded by this.
    private final List<ServedProcess> served = new ArrayList<>();
    private @Nullable AwakeProcessors awake;
    private boolean closed;

    /// @param results the folder of results
    /// @param parent where a folder for data is created, which goes at the end
    /// @throws UserException where nothing can be created there
    RunResources(Path results, Path parent) {
        try {
            this.work = Files.createTempDirectory(parent, WORK_PREFIX);
            Files.createFile(work.resolve(WORK_MARKER));
        } catch (IOException e) {
            throw new UserException("cannot create a folder for data in " + parent + ": " + FileTrouble.writing(e), e);
        }
        this.note = results.resolve(NOTE);
        Folders.write(note, work.toAbsolutePath() + "\n");
    }

    /// An empty folder for the data of one step.
    Path workOf(Step step) {
        return Folders.create(work.resolve(step.id()));
    }

    /// The data of a step are not needed any more.
    void forget(Step step) {
        Folders.discard(work.resolve(step.id()));
    }

    /// Keeps the processors from sleeping from now on.
    ///
    /// @return what the report has to tell of it
    synchronized Remark keepAwake() {
        try {
            awake = AwakeProcessors.hold();
            return new Remark.ProcessorsKeptAwake();
        } catch (IOException e) {
            return new Remark.ProcessorsMaySleep(FileTrouble.reading(e));
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
        Folders.write(note, work.toAbsolutePath() + "\n" + lines);
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
            Folders.delete(work);
            Files.deleteIfExists(note);
        } catch (IOException e) {
            throw new UserException("cannot delete " + work + ": " + FileTrouble.writing(e), e);
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
                deleteWork(Path.of(lines.getFirst()));
            }
            Files.deleteIfExists(note);
        } catch (IOException e) {
            throw new UserException("cannot clean up after the run before: " + FileTrouble.writing(e), e);
        }
    }

    /// One without the marker is somebody else's.
    private static void deleteWork(Path work) throws IOException {
        if (String.valueOf(work.getFileName()).startsWith(WORK_PREFIX) && Files.exists(work.resolve(WORK_MARKER))) {
            Folders.delete(work);
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
