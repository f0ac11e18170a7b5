package kvant.lab.study.folder;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// All of a run, complete or not.
///
/// @param missing what the run, or this reader, did not get
/// @param differences of profiles
/// @param graphsLeftOut flame graphs that the run has and this report does not lead to
public record Results(
        Experiment experiment,
        String command,
        String startedAt,
        String endedAt,
        boolean complete,
        String partialReason,
        Machine machine,
        List<Variant> variants,
        List<Phase> phases,
        List<Step> steps,
        List<Profile.Missing> missing,
        List<String> warnings,
        Cost cost,
        List<Profile> profiles,
        List<Profile.Difference> differences,
        long graphsLeftOut) {

    /// What measuring itself cost; NaN is "not measured".
    public record Cost(double generatorBusiest, double profilerCpuRatio, double profilerP99Ratio) {}

    /// The same with links to those flame graphs alone that somebody wants.
    ///
    /// @param wanted asked for each graph by its file, relative to the folder of the results
    public Results withGraphs(Predicate<String> wanted) {
        List<Profile> kept =
                profiles.stream().map(one -> one.withGraphs(wanted)).toList();
        List<Profile.Difference> keptDifferences =
                differences.stream().map(one -> one.withGraph(wanted)).toList();
        return new Results(
                experiment,
                command,
                startedAt,
                endedAt,
                complete,
                partialReason,
                machine,
                variants,
                phases,
                steps,
                missing,
                warnings,
                cost,
                kept,
                keptDifferences,
                graphs(profiles, differences).size()
                        - graphs(kept, keptDifferences).size());
    }

    /// Files of all flame graphs that show something, relative to the folder of the results, in the order of what they
    /// explain: differences before what they differ in, time before memory.
    public List<String> graphs() {
        return graphs(profiles, differences);
    }

    private static List<String> graphs(List<Profile> profiles, List<Profile.Difference> differences) {
        List<String> graphs = new ArrayList<>();
        for (String event : List.of("cpu", "lock", "slow", "alloc", "wall")) {
            differences.stream()
                    .filter(one -> one.event().equals(event) && !one.html().isEmpty())
                    .forEach(one -> graphs.add(one.html()));
            for (Profile profile : profiles) {
                profile.events().stream()
                        .filter(one -> one.event().equals(event) && !one.html().isEmpty() && one.samples() > 0)
                        .forEach(one -> graphs.add(profile.folder() + "/" + one.html()));
            }
        }
        return graphs;
    }

    /// Measured steps of a variant in a phase, in the order of their rounds; profiled ones are not
    /// among them.
    public List<Step> steps(String variant, String phase) {
        return steps.stream()
                .filter(step -> !step.profiled()
                        && step.variant().equals(variant)
                        && step.phase().equals(phase))
                .toList();
    }

    public List<Step> usable(String variant, String phase) {
        return steps(variant, phase).stream().filter(Step::isUsable).toList();
    }

    public Optional<Profile> profile(String variant, String phase) {
        return profiles.stream()
                .filter(one -> one.variant().equals(variant) && one.phase().equals(phase))
                .findFirst();
    }

    public Optional<Profile.Difference> difference(String a, String b, String phase, String event) {
        return differences.stream()
                .filter(one -> one.phase().equals(phase) && one.event().equals(event))
                .filter(one -> one.a().equals(a) && one.b().equals(b)
                        || one.a().equals(b) && one.b().equals(a))
                .findFirst();
    }
}
