package kvant.lab.study.folder;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import kvant.lab.LabException;
import org.jspecify.annotations.Nullable;

/// Reads a folder of results, as much of it as is there. What is not is noted, and keeps nothing else
/// from being read; only without `run.json` there is nothing to report.
public final class ResultFolder {

    /// The mark of a folder that the laboratory made.
    private static final String RUN = "run.json";

    private static final String SCHEMA = "kvant-lab/1";
    private static final int MOST_STEPS = 2000;

    private final Path folder;
    private final List<Profile.Missing> missing = new ArrayList<>();

    private ResultFolder(Path folder) {
        this.folder = folder;
    }

    /// @throws LabException in one line, where this is no folder of results
    public static Results read(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new LabException(folder + " is not a folder of results: there is no such folder");
        }
        if (!Files.exists(folder.resolve(RUN))) {
            throw new LabException(folder + " is not a folder of results: it has no " + RUN);
        }
        return new ResultFolder(folder).read();
    }

    private Results read() {
        Document run = Document.read(folder.resolve(RUN));
        if (!SCHEMA.equals(run.at("schema").text())) {
            throw new LabException(folder.resolve(RUN) + " is not of schema " + SCHEMA + " but of '"
                    + run.at("schema").text() + "'");
        }
        missing.addAll(Profile.Missing.of(run.at("missing")));
        List<Variant> variants =
                run.at("variants").list().stream().map(Variant::of).toList();
        List<Phase> phases = run.at("phases").list().stream().map(Phase::of).toList();
        List<Step> steps = new ArrayList<>();
        for (Document one : run.at("steps").list()) {
            if (steps.size() < MOST_STEPS) {
                steps.add(step(one));
            }
        }
        ProfileFolder profiles = new ProfileFolder(folder, variants, phases, missing);
        return new Results(
                Experiment.of(run.at("experiment")),
                run.at("command").told(),
                run.at("startedAt").text(),
                run.at("endedAt").text(),
                run.at("status").text().equals("complete"),
                run.at("partialReason").told(),
                Machine.of(run.at("machine"), run.at("kvant")),
                variants,
                phases,
                steps,
                missing,
                run.at("warnings").toldTexts(),
                new Results.Cost(
                        run.at("cost").at("generatorBusiest").number(),
                        run.at("cost").at("profilerCpuRatio").number(),
                        run.at("cost").at("profilerP99Ratio").number()),
                profiles.profiles(),
                profiles.differences(),
                0);
    }

    private Step step(Document json) {
        String id = json.at("id").text();
        Document files = json.at("files");
        String status = json.at("status").text();
        String[] trouble = {""};
        LoadResult load = file(files, id, "load", LoadResult::read, trouble);
        if (load == null && status.equals("done")) {
            missing.add(new Profile.Missing("runs/" + id + "/load.json", trouble[0]));
        }
        Timeline timeline = optional(files, id, "samples", path -> Timeline.of(Document.read(path)));
        return new Step(
                id,
                json.at("variant").text(),
                json.at("phase").text(),
                (int) json.at("repeat").whole(),
                json.at("profiled").flag(),
                status,
                json.at("reason").told(),
                Step.Process.of(json.at("process")),
                load,
                trouble[0],
                timeline == null ? Timeline.EMPTY : timeline,
                optional(files, id, "tail", path -> Tail.of(Document.read(path))));
    }

    /// A file that need not be there; one that is there and cannot be read is missed.
    private <T> @Nullable T optional(Document files, String id, String name, Function<Path, T> reader) {
        String[] trouble = {""};
        T read = file(files, id, name, reader, trouble);
        Path usual = usual(id, name);
        if (read == null && (!files.at(name).isMissing() || usual != null && Files.exists(usual))) {
            missing.add(new Profile.Missing("runs/" + id + "/" + name + ".json", trouble[0]));
        }
        return read;
    }

    private <T> @Nullable T file(Document files, String id, String name, Function<Path, T> reader, String[] trouble) {
        String named = files.at(name).text();
        Path file = named.isEmpty() ? usual(id, name) : within(named);
        if (file == null) {
            trouble[0] = "its file is not inside the folder of results";
            return null;
        }
        if (!Files.isRegularFile(file)) {
            trouble[0] = "there is no such file";
            return null;
        }
        try {
            return reader.apply(file);
        } catch (LabException e) {
            trouble[0] = String.valueOf(e.getMessage())
                    .replace(folder + file.getFileSystem().getSeparator(), "");
            return null;
        }
    }

    private @Nullable Path usual(String id, String name) {
        return within("runs/" + id + "/" + name + ".json");
    }

    /// A path that run.json names; null where it leads out of the folder, because anybody may have
    /// written that.
    private @Nullable Path within(String name) {
        try {
            Path path = folder.resolve(name).normalize();
            return path.startsWith(folder.normalize()) ? path : null;
        } catch (InvalidPathException _) {
            return null;
        }
    }
}
