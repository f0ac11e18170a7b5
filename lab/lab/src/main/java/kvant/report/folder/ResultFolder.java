package kvant.report.folder;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import kvant.lab.result.Remark;
import kvant.lab.result.RunRecord;
import kvant.lab.result.RunRecord.Missing;
import kvant.lab.result.RunRecord.VariantRecord;
import kvant.lab.result.SamplesRecord;
import kvant.lab.result.StepRecord;
import kvant.lab.result.TailRecord;
import kvant.load.result.RecordJson;
import kvant.report.folder.Profile.ProfileFolder;
import kvant.report.folder.Results.MeasuredStep;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// Reads a result folder as far as possible. A missing part is noted, and does not prevent reading the others; only
/// `run.json` is mandatory.
public final class ResultFolder {

    private static final int MOST_STEPS = 2000;

    private final Path folder;
    private final List<Missing> missing = new ArrayList<>();

    private ResultFolder(Path folder) {
        this.folder = folder.toAbsolutePath(); // "." is no prefix of the names of its files
    }

    /// @throws UserException in one line, when this is no result folder
    public static Results read(Path folder) {
        return read(folder, true);
    }

    /// @param graphs whether the report links to flame graphs; otherwise it is self-contained
    public static Results read(Path folder, boolean graphs) {
        if (!Files.isDirectory(folder)) {
            throw new UserException(folder + " is not a folder of results: there is no such folder");
        }
        if (!Files.exists(folder.resolve(RunRecord.NAME))) {
            throw new UserException(folder + " is not a folder of results: it has no " + RunRecord.NAME);
        }
        return new ResultFolder(folder).read(graphs);
    }

    private Results read(boolean graphs) {
        RunRecord run = RunRecord.read(folder);
        missing.addAll(run.missing());
        List<VariantRecord> variants =
                run.variants().stream().map(ResultFolder::forOthers).toList();
        List<MeasuredStep> steps =
                run.steps().stream().limit(MOST_STEPS).map(this::step).toList();
        ProfileFolder profiles = new ProfileFolder(folder, variants, run.phases(), missing, graphs);
        return new Results(run, variants, steps, missing, profiles.profiles(), profiles.differences(), !graphs);
    }

    private static VariantRecord forOthers(VariantRecord variant) {
        return new VariantRecord(
                variant.name(),
                variant.title(),
                variant.titleRu(),
                variant.command().stream().map(DecodedResult::shortened).toList(),
                variant.kind(),
                variant.connections(),
                variant.options(),
                variant.jvm().stream().map(DecodedResult::shortened).toList(),
                variant.phases(),
                variant.version());
    }

    private MeasuredStep step(StepRecord record) {
        List<Remark> why = new ArrayList<>();
        DecodedResult load = file(record, "load", DecodedResult::read, why);
        if (load == null && record.isDone()) {
            missing.add(new Missing(new Remark.FileOf("runs/" + record.id() + "/load.json"), why.getFirst()));
        }
        SamplesRecord samples =
                optional(record, "samples", path -> RecordJson.read(path, "samples", SamplesRecord.class));
        TailRecord tail = optional(record, "tail", path -> RecordJson.read(path, "a tail", TailRecord.class));

        return new MeasuredStep(
                record,
                load,
                why.isEmpty() ? null : why.getFirst(),
                samples == null ? SamplesRecord.NONE : samples,
                // A stopped step's slow requests cover an unknown share of its time.
                tail != null && record.isDone() && !tail.bands().isEmpty() ? tail.withoutNothing() : null);
    }

    /// Reads an optional file; an existing one that cannot be read is reported as missing.
    private <T> @Nullable T optional(StepRecord step, String name, Function<Path, T> reader) {
        List<Remark> why = new ArrayList<>();
        T read = file(step, name, reader, why);
        Path usual = within("runs/" + step.id() + "/" + name + ".json");
        if (read == null && (step.files().containsKey(name) || usual != null && Files.exists(usual))) {
            missing.add(new Missing(new Remark.FileOf("runs/" + step.id() + "/" + name + ".json"), why.getFirst()));
        }
        return read;
    }

    private <T> @Nullable T file(StepRecord step, String name, Function<Path, T> reader, List<Remark> why) {
        String named = step.files().getOrDefault(name, "");
        Path file = within(named.isEmpty() ? "runs/" + step.id() + "/" + name + ".json" : named);
        if (file == null) {
            why.add(new Remark.FileOutside());
            return null;
        }
        if (!Files.isRegularFile(file)) {
            why.add(new Remark.FileAbsent());
            return null;
        }
        try {
            return reader.apply(file);
        } catch (UserException e) {
            why.add(said(folder, e));
            return null;
        }
    }

    /// The message of an error, with file names relative to the folder.
    static Remark said(Path folder, UserException why) {
        String separator = folder.getFileSystem().getSeparator();
        return new Remark.Given(String.valueOf(why.getMessage()).replace(folder + separator, ""));
    }

    /// A path from run.json; null if it leads out of the folder, because the file may be forged.
    private @Nullable Path within(String name) {
        try {
            Path path = folder.getFileSystem().getPath(name).normalize();
            return path.isAbsolute() || path.startsWith("..") ? null : folder.resolve(path);
        } catch (InvalidPathException _) {
            return null;
        }
    }
}
