package kvant.lab.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import kvant.lab.experiment.Profiling;
import kvant.lab.experiment.Step;
import kvant.lab.process.Folders;
import kvant.lab.profile.ProfileEvent;
import kvant.lab.profile.ProfilePlan;
import kvant.lab.profile.Profiler;
import kvant.lab.run.Instruments;
import kvant.lab.tail.TailAttribution;
import kvant.load.plan.LoadPlan;
import kvant.load.result.SlowestFile;
import kvant.load.run.RunResult;
import kvant.report.Languages;
import kvant.report.Study;
import kvant.report.verdict.Caveat;
import kvant.report.verdict.PowerEstimate;
import kvant.report.verdict.Verdict;
import org.jspecify.annotations.Nullable;

/// The additional analysis of a run.
///
/// @param languages of the report
record LabInstruments(Languages languages) implements Instruments {

    /// The share of requests, the slowest ones, whose latency is attributed to causes.
    private static final double SLOW_SHARE = 0.001;

    @Override
    public Instruments.Recording profile(long pid, Profiling wish, long slowNanos, Path folder) {
        Set<ProfileEvent> events = EnumSet.copyOf(ProfileEvent.list(String.join(",", wish.events())));
        ProfilePlan plan = ProfilePlan.of(events)
                .withThreads(wish.threads())
                .withSlowThreshold(slowNanos == 0 ? null : Duration.ofNanos(slowNanos));
        return Profiler.attach(pid).start(plan, folder)::stop;
    }

    @Override
    public void difference(Path a, String nameA, Path b, String nameB, String event, Path html, Path json) {
        Profiler.difference(
                a, nameA, b, nameB, ProfileEvent.list(event).iterator().next(), html, json);
    }

    @Override
    public LoadPlan keepingSlow(LoadPlan plan) {
        return plan.with(p -> p.slowShare = SLOW_SHARE);
    }

    @Override
    public void writeSlow(RunResult result, Path slow) {
        Folders.write(slow, SlowestFile.of(result.slowest()));
    }

    @Override
    public void attribute(Path load, Path slow, @Nullable Path recording, Path tail) {
        TailAttribution.write(load, slow, recording, tail);
    }

    @Override
    public List<Undecided> undecided(Path folder) {
        return Study.outlook(folder, Double.NaN).stream()
                .filter(PowerEstimate.Forecast::open)
                .map(one -> new Undecided(
                        one.question().id(),
                        one.verdict().a(),
                        one.verdict().b(),
                        one.verdict().phase(),
                        one.margin(),
                        roundsToGo(one),
                        one.verdict()
                                .host()
                                .filter(Caveat.Host::leftOut)
                                .map(Caveat.Host::n)
                                .orElse(0)))
                .toList();
    }

    /// Rounds to go. An open question takes at least another block; 0 if nothing is known about it yet.
    private static long roundsToGo(PowerEstimate.Forecast forecast) {
        Verdict.Decided decided = forecast.verdict().decided();
        long done = decided == null ? 0 : decided.rounds();
        return forecast.sequentialRounds() == 0 ? 0 : Math.max(Step.ROUNDS, forecast.sequentialRounds() - done);
    }

    @Override
    public void report(Path folder) {
        Study.report(folder, languages);
    }
}
