package kvant.report.folder;

import java.util.List;
import java.util.Optional;
import kvant.lab.result.Missing;
import kvant.lab.result.RunRecord;
import kvant.lab.result.VariantRecord;

/// All results of a run, complete or not.
///
/// @param variants without the folders of the machine, as in [#command]
/// @param missing results that the run, or this reader, could not obtain
/// @param differences of profiles
/// @param graphsLeftOut whether the report has no links to flame graphs, because it must be self-contained
public record Results(
        RunRecord run,
        List<VariantRecord> variants,
        List<MeasuredStep> steps,
        List<Missing> missing,
        List<Profile> profiles,
        List<Profile.Difference> differences,
        boolean graphsLeftOut) {

    /// The command line that repeats the run.
    public String command() {
        return Paths.shortened(run.command());
    }

    public boolean complete() {
        return run.status() == RunRecord.Status.COMPLETE;
    }

    /// Measured steps of a variant in a phase, in the order of rounds, without profiled steps.
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
