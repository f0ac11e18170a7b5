package kvant.lab.experiment;

import static kvant.lab.result.ExperimentRecord.Question.USUAL_MARGIN;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import kvant.lab.experiment.Experiment.HostBound;
import kvant.lab.experiment.Experiment.Niceness;
import kvant.lab.experiment.Experiment.Profiling;
import kvant.lab.experiment.Experiment.Scale;
import kvant.lab.experiment.Phase.SettingException;
import kvant.lab.experiment.Variant.Server;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.load.workload.Workload;

/// An experiment without a file: servers under the same loads, the others compared with the first.
///
/// @param title `titleRu` is the title in Russian
/// @param workloads one phase for each, of its name
/// @param settings of all phases, by the names of docs/experiments.md; workloads with keys are prefilled
/// @param metrics one question for each
public record Trial(
        String name,
        String title,
        String titleRu,
        List<Variant> variants,
        List<String> workloads,
        Map<String, String> settings,
        List<String> metrics) {

    /// Default number of repeats: three blocks.
    private static final int USUAL_REPEATS = 6;

    private static final String PREFILL = "prefill";
    private static final String USUAL_PREFILL = "100k";
    private static final String STAGE = "stage.";

    /// Figures in English and in Russian.
    private static final Map<String, List<String>> FIGURES = Map.of(
            "mean", List.of("the mean latency", "средняя задержка"),
            "max", List.of("the highest latency", "наибольшая задержка"),
            "rate", List.of("the throughput", "пропускная способность"),
            "cpu", List.of("the CPU time of a request", "процессорное время запроса"),
            "memory", List.of("the memory", "занятая память"),
            "errors", List.of("the share of failed requests", "доля неудачных запросов"));

    /// Profiles that explain a difference between two JVMs.
    private static final Profiling PROFILING =
            new Profiling(List.of("cpu", "alloc"), false, Duration.ofSeconds(10), 0, List.of(), List.of());

    /// @throws IllegalArgumentException with a readable one-line reason
    public Experiment experiment() {
        variants.forEach(one -> ExperimentReader.name(one.name()));
        boolean profiled =
                variants.stream().allMatch(one -> !(one.server() instanceof Server.External other) || other.isJava());
        return new Experiment(
                "",
                name,
                title,
                titleRu,
                "",
                "",
                null,
                null,
                USUAL_REPEATS,
                variants,
                phases(),
                questions(),
                profiled ? PROFILING : Profiling.NONE,
                List.of(),
                Scale.FULL,
                HostBound.USUAL,
                Experiment.USUAL_AT_MOST,
                Niceness.NONE,
                false,
                false);
    }

    private List<Phase> phases() {
        List<Phase> phases = new ArrayList<>();
        for (String given : distinct("workload", workloads)) {
            String workload = given.toLowerCase(Locale.ROOT);
            if (Phase.isFile(workload)) {
                throw new IllegalArgumentException(
                        "'" + workload + "' is a file: write an experiment for it (docs/experiments.md)");
            }
            Map<String, String> own = new LinkedHashMap<>(settings);
            own.put("workload", workload);
            if (Workload.named(workload).mix().needsKeys()) {
                own.putIfAbsent(PREFILL, USUAL_PREFILL);
            } else {
                own.remove(PREFILL);
            }
            try {
                phases.add(Phase.of(workload, own));
            } catch (SettingException e) {
                throw new IllegalArgumentException(e.explanation(), e);
            }
        }
        return phases;
    }

    private List<Question> questions() {
        List<String> names = variants.stream().map(Variant::name).toList();
        String from = names.getFirst();
        String to = String.join(", ", names.subList(1, names.size()));
        return distinct("metric", metrics).stream()
                .map(Question::metric)
                .map(metric -> new Question(
                        metric,
                        "Does " + named(metric, 0) + " change from " + from + " to " + to + "?",
                        "Меняется ли " + named(metric, 1) + " между " + from + " и " + to + "?",
                        names,
                        "",
                        metric,
                        USUAL_MARGIN))
                .toList();
    }

    /// A figure in a question, in a language.
    private static String named(String metric, int language) {
        String stage = metric.replace(STAGE, "");
        List<String> usual = stage.equals(metric)
                ? List.of(metric, metric)
                : List.of("the time in the stage " + stage, "время в стадии " + stage);
        return FIGURES.getOrDefault(metric, usual).get(language);
    }

    private static List<String> distinct(String what, List<String> given) {
        List<String> distinct = given.stream().distinct().toList();
        if (distinct.isEmpty() || distinct.size() > Experiment.MOST_PHASES) {
            throw new IllegalArgumentException("from one " + what + " to " + Experiment.MOST_PHASES + " are needed");
        }
        return distinct;
    }
}
