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

/// The resources of a run that must be released at its end: the served processes, the folder with its data, and awake
/// processors. A note of the first two is stored in the result folder, so that `--resume` finds and ends them even
/// after `kill -9` of the laboratory; the third ends with the laboratory.
///
/// Used by the thread of the run, and by the one that ends the JVM.
final class RunResources {

    private static final String NOTE = ".kvant-lab-running";

    /// Prefix of the name of a run's data folder, and the marker that identifies it as ours.
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
    /// @param parent for a temporary folder with data, which is deleted at the end
    /// @throws UserException when the folder cannot be created
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

    /// Creates an empty folder for the data of one step.
    Path workOf(Step step) {
        return Folders.create(work.resolve(step.id()));
    }

    /// Deletes the data of a step.
    void forget(Step step) {
        Folders.discard(work.resolve(step.id()));
    }

    /// Keeps the processors from sleeping from now on.
    ///
    /// @return remark for the report
    synchronized Remark keepAwake() {
        try {
            awake = AwakeProcessors.hold();
            return new Remark.ProcessorsKeptAwake();
        } catch (IOException e) {
            return new Remark.ProcessorsMaySleep(FileTrouble.reading(e));
        }
    }

    /// Starts a process, which ends with the laboratory at the latest.
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

    /// Ends processes and deletes the data; idempotent, because the run and the end of the JVM may both call it.
    ///
    /// @throws UserException when something remains
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

    /// Ends processes and deletes data left by a killed run.
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

    /// A folder without the marker is not ours.
    private static void deleteWork(Path work) throws IOException {
        if (String.valueOf(work.getFileName()).startsWith(WORK_PREFIX) && Files.exists(work.resolve(WORK_MARKER))) {
            Folders.delete(work);
        }
    }

    /// Ends only exactly this process, because its number may have been reused.
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
