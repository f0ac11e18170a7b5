package kvant.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.lab.result.Remark;
import kvant.text.UserException;

/// How the profiles of two variants differ, in the folder of the profiles of a run.
///
/// @param profiles the folder
/// @param state hears what is missing
record ProfileDifferences(Path profiles, RunState state, Instruments instruments) {

    /// For each pair that a question compares, where both sides have a profile.
    void write() {
        List<String> done = new ArrayList<>();
        for (Question question : state.experiment().questions()) {
            for (String other : question.compare().subList(1, question.compare().size())) {
                for (String phase : phases(question)) {
                    for (String event : state.experiment().profiling().events()) {
                        String name = question.compare().getFirst() + "-" + other + "-" + phase + "-" + event;
                        if (!done.contains(name)) {
                            done.add(name);
                            write(question.compare().getFirst(), other, phase, event);
                        }
                    }
                }
            }
        }
    }

    private List<String> phases(Question question) {
        return question.phase().isEmpty()
                ? state.experiment().phases().stream().map(one -> one.name()).toList()
                : List.of(question.phase());
    }

    private void write(String nameA, String nameB, String phase, String event) {
        Path a = profiles.resolve(nameA + "-" + phase).resolve(event + ".collapsed");
        Path b = profiles.resolve(nameB + "-" + phase).resolve(event + ".collapsed");
        if (!Files.exists(a) || !Files.exists(b)) {
            return;
        }
        String name = "diff-" + nameA + "-" + nameB + "-" + phase + "-" + event;
        for (String variant : List.of(nameA, nameB)) {
            if (isEmpty(variant.equals(nameA) ? a : b)) {
                state.missing(new Remark.FileOf(name), new Remark.NothingSampled(variant));
                return;
            }
        }
        try {
            instruments.difference(
                    a, nameA, b, nameB, event, profiles.resolve(name + ".html"), profiles.resolve(name + ".json"));
        } catch (UserException e) {
            state.missing(new Remark.FileOf(name), new Remark.Given(String.valueOf(e.getMessage())));
        }
    }

    private static boolean isEmpty(Path file) {
        try {
            return Files.size(file) == 0;
        } catch (IOException _) {
            return false; // who reads it says why not
        }
    }
}
