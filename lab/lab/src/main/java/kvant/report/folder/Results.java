package kvant.report.folder;

import java.util.List;
import java.util.Optional;
import kvant.lab.result.Missing;
import kvant.lab.result.RunRecord;
import kvant.lab.result.VariantRecord;

/// All of a run, complete or not.
///
/// @param variants without the folders of the machine, as [#command]
/// @param missing what the run, or this reader, did not get
/// @param differences of profiles
/// @param graphsLeftOut whether the report leads to no flame graph, because it is to stand alone
public record Results(
        RunRecord run,
        List<VariantRecord> variants,
        List<MeasuredStep> steps,
        List<Missing> missing,
        List<Profile> profiles,
        List<Profile.Difference> differences,
        boolean graphsLeftOut) {

    /// What a person types to repeat it.
    public String command() {
        return Paths.shortened(run.command());
    }

    public boolean complete() {
        return run.status() == RunRecord.Status.COMPLETE;
    }

    /// Measured steps of a variant in a phase, in the order of their rounds; profiled ones are not
    /// among them.
    public List<MeasuredStep> steps(String variant, String phase) {
        return steps.stream()
                .filter(step -> !step.profiled()
                        && step.variant().equals(variant)
                        && step.phase().equals(phase))
                .toList();
    }

    public List<MeasuredStep> usable(String variant, String phase) {
        return steps(variant, phase).stream().filter(MeasuredStep::isUsable).toList();
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
