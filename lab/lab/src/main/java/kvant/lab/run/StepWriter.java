package kvant.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import kvant.lab.experiment.Step;
import kvant.lab.process.Folders;
import kvant.lab.process.JfrEvents;
import kvant.lab.process.Stretch;
import kvant.lab.result.ProcessFigures;
import kvant.lab.result.Remark;
import kvant.lab.result.SamplesRecord;
import kvant.lab.result.StepRecord;
import kvant.lab.run.LiveServer.Slice;
import kvant.load.result.LoadResult;
import kvant.load.result.RecordJson;
import kvant.load.result.ResultFile;
import kvant.load.run.RunResult;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// Writes the observations of both sides of a step, when its server has ended.
///
/// Belongs to the thread of the run.
final class StepWriter {

    private final RunFolder results;
    private final Instruments instruments;
    private final BiConsumer<Remark, Remark> missing;

    /// @param missing receives missing results, with the reason
    StepWriter(RunFolder results, Instruments instruments, BiConsumer<Remark, Remark> missing) {
        this.results = results;
        this.instruments = instruments;
        this.missing = missing;
    }

    /// @param result of all slices together
    /// @param slices the measured slices, in order
    StepRecord written(LiveServer live, RunResult result, List<Slice> slices) {
        Step step = live.step();
        Path folder = live.folder();
        Map<String, String> files = new LinkedHashMap<>();
        Path load = folder.resolve("load.json");
        Folders.write(load, ResultFile.text(LoadResult.of(result)));
        files.put("load", results.relative(load));
        List<Stretch> stretches = stretches(slices);
        JfrEvents events = events(live, stretches);
        Path samples = folder.resolve("samples.json");
        Folders.write(samples, RecordJson.write(samples(live, stretches, events)));
        files.put("samples", results.relative(samples));
        attribute(live, result, load);
        addFiles(files, folder);
        @Nullable Remark reason = slices.getLast().reason();
        return new StepRecord(
                step.id(),
                step.variant(),
                step.phase(),
                step.repeat(),
                step.profiled(),
                reason == null ? StepRecord.Status.DONE : StepRecord.Status.FAILED,
                reason,
                result.startedAt().toString(),
                events.addedTo(figures(live, slices)),
                result.totals().response().getValueAtPercentile(99),
                result.busy(),
                0,
                files);
    }

    private static List<Stretch> stretches(List<Slice> slices) {
        List<Stretch> stretches = new ArrayList<>();
        long at = 0;
        for (Slice slice : slices) {
            stretches.add(slice.stretch(at));
            at += slice.result().elapsedNanos();
        }
        return stretches;
    }

    private static ProcessFigures figures(LiveServer live, List<Slice> slices) {
        return ProcessFigures.sum(
                slices.stream().map(live::figures).toList(),
                slices.stream().map(slice -> slice.result().elapsedNanos()).toList());
    }

    /// Adds the files written by the server and the attribution.
    private void addFiles(Map<String, String> files, Path folder) {
        List<String> kinds = List.of("jfr", "gc", "log", "slow", "tail");
        List<String> names = List.of("node.jfr", "gc.log", "node.log", "slow.json", "tail.json");
        for (int i = 0; i < kinds.size(); i++) {
            Path file = folder.resolve(names.get(i));
            if (Files.exists(file)) {
                files.put(kinds.get(i), results.relative(file));
            }
        }
    }

    private JfrEvents events(LiveServer live, List<Stretch> stretches) {
        Remark what = new Remark.EventsOf(live.step().id());
        Path recording = live.launch().recording();
        if (!Files.exists(recording)) {
            return JfrEvents.NONE;
        }
        try {
            JfrEvents events = JfrEvents.read(recording, stretches);
            if (events.lostBytes() > 0) {
                missing.accept(what, new Remark.EventsLost(events.lostBytes()));
            }
            return events;
        } catch (IOException e) {
            missing.accept(what, new Remark.RecordingUnreadable(String.valueOf(e.getMessage())));
            return JfrEvents.NONE;
        }
    }

    private static SamplesRecord samples(LiveServer live, List<Stretch> stretches, JfrEvents events) {
        Instant start = stretches.getFirst().from();
        return SamplesRecord.of(
                start.getEpochSecond() * 1_000_000_000L + start.getNano(),
                live.sampler().during(stretches),
                events.events());
    }

    /// Slow requests have nano times, matched with those of the recording, and not on the timeline of the step.
    private void attribute(LiveServer live, RunResult result, Path load) {
        Path slow = live.folder().resolve("slow.json");
        Path recording = live.launch().recording();
        try {
            instruments.writeSlow(result, slow);
            instruments.attribute(
                    load,
                    slow,
                    Files.exists(recording) ? recording : null,
                    live.folder().resolve("tail.json"));
        } catch (UserException e) {
            missing.accept(new Remark.AttributionOf(live.step().id()), Remark.given(e));
        }
    }
}
