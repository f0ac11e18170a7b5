package kvant.lab.study.folder;

import java.util.List;
import java.util.Optional;

/// All of a run, complete or not.
///
/// @param missing what the run, or this reader, did not get
/// @param differences of profiles
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
        List<Profile.Difference> differences) {

    /// What measuring itself cost; NaN is "not measured".
    public record Cost(double generatorBusiest, double profilerCpuRatio, double profilerP99Ratio) {}

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
