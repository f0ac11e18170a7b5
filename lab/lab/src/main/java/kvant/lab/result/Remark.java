package kvant.lab.result;

import java.util.List;
import kvant.load.run.Reason;

/// A remark about a run: a missing result, its reason, or a doubt. A remark is a kind and its figures, independent of
/// language. The report's catalogue has a sentence for each kind in each language. Text from elsewhere (a message of a
/// JVM, the last line of a server) is quoted in the sentence.
///
/// A component whose name ends in `Nanos` is a time, one that ends in `Bytes` a size. `n` is the number that determines
/// the plural form of a noun.
public sealed interface Remark {

    /// Quoted text of another program, or of an unknown kind.
    record Given(String text) implements Remark {}

    static Remark given(Exception why) {
        return new Given(String.valueOf(why.getMessage()));
    }

    // --- doubts about an experiment ---

    /// The requests in flight fit into queue and workers: all queues of at least this length are equivalent.
    record QueueNeverFills(String variant, List<String> phases, long queue, long inFlight) implements Remark {}

    record UnboundedQueueNeverFills(String variant, List<String> phases, long inFlight) implements Remark {}

    record UnlikeConnections(String question, String phase) implements Remark {}

    record SingleRepeat() implements Remark {}

    record ShortWarmup(String phase, long warmupNanos) implements Remark {}

    record MoreThreadsThanCores(String phase, long threads, long cores) implements Remark {}

    record MoreDeletesThanKeys(String phase, long keys) implements Remark {}

    record KeysNeverPut(String phase, long keys, long prefilled) implements Remark {}

    record OtherVersion(String beganVersion, String beganCommit, String version, String commit) implements Remark {}

    record ProcessorsKeptAwake() implements Remark {}

    record ProcessorsMaySleep(String reason) implements Remark {}

    record SendsInRealtime() implements Remark {}

    record NoRealtime(String reason) implements Remark {}

    // --- reasons why a variant cannot start ---

    record OptionsRefused(String options, String reason) implements Remark {}

    record JvmRefused(String options, String reason) implements Remark {}

    record CannotStart(String program, String reason) implements Remark {}

    record NoFolder(String folder) implements Remark {}

    record NoProgram(String program) implements Remark {}

    record NoProgramOnPath(String program) implements Remark {}

    /// @param packageName Debian package
    record PackageNotInstalled(String program, String packageName) implements Remark {}

    record BenchmarksNotBuilt() implements Remark {}

    // --- reasons why a step was not measured ---

    record ServerEnded(long exitCode, String lastWords) implements Remark {}

    record ServerNotReady(long limitNanos, String lastWords) implements Remark {}

    record ServerEndedUnderLoad(long exitCode, String lastWords) implements Remark {}

    /// @param of number of requests sent in the warm-up
    record WarmupFailed(long n, long of) implements Remark {}

    /// @param n number of requests sent in the measured time
    record NobodyAnswered(long n) implements Remark {}

    record StoppedBeforeItsEnd() implements Remark {}

    record FailedInARow(long n) implements Remark {}

    /// About a whole run.
    record StepsToGo(long n, long of) implements Remark {}

    /// About a whole run.
    record StepsFailed(long n, long of, Remark reason) implements Remark {}

    // --- warnings of a load ---

    /// @param reason the last failure, or empty
    record NothingAnswered(String reason) implements Remark {}

    record WarmupUnanswered(long requests, long unsent, long failed) implements Remark {}

    record WarmupUnstable(long warmupNanos) implements Remark {}

    record GeneratorBusy(long busyPercent) implements Remark {}

    record GeneratorOutOfTime(long busyPercent, long reachedPercent) implements Remark {}

    record StrayBytes(long connections) implements Remark {}

    record TooFewRequests(long requests, long least) implements Remark {}

    record GeneratorLate(long ownNanos, long responseNanos) implements Remark {}

    record ServerGone(String reason) implements Remark {}

    record ServerGoneAtTheEnd(String reason) implements Remark {}

    // --- missing results ---

    record VariantOf(String variant) implements Remark {}

    record TheReport() implements Remark {}

    record ProfileOf(String variant, String phase) implements Remark {}

    record ProfilePart(String folder, String event) implements Remark {}

    record EventsOf(String step) implements Remark {}

    record AttributionOf(String step) implements Remark {}

    record FileOf(String file) implements Remark {}

    // --- reasons for missing results ---

    record NothingSampled(String variant) implements Remark {}

    record RecordingUnreadable(String reason) implements Remark {}

    record NoSamplesOfSlowRequests(long n) implements Remark {}

    record NoSlowRequests(String event, long thresholdNanos) implements Remark {}

    record NoRequestsTold(String reason) implements Remark {}

    record FileAbsent() implements Remark {}

    record FileOutside() implements Remark {}

    // --- notes on a tail attribution ---

    record TailOfAnotherRun(String file) implements Remark {}

    record RequestsWithoutEvent(long n, long of, long unrecorded) implements Remark {}

    record NodeNotRecorded() implements Remark {}

    record NodeRecordingUnreadable(String reason) implements Remark {}

    record NodeRecordingBreaksOff(String reason) implements Remark {}

    record NoRequestEvents() implements Remark {}

    record ShortRequestsNotRecorded(String threshold) implements Remark {}

    record PausesNotPlaced() implements Remark {}

    record EventsLost(long lostBytes) implements Remark {}

    record RequestsCut(long n, long of) implements Remark {}

    record SpansCut(long n, long of) implements Remark {}

    /// The remark for an English warning in the result file of a load.
    ///
    /// @param text an unknown one is quoted
    public static Remark ofLoad(String text) {
        return Reason.read(text).map(Remark::ofLoad).orElseGet(() -> new Remark.Given(text));
    }

    private static Remark ofLoad(Reason.Said said) {
        return switch (said.reason()) {
            case STOPPED -> new Remark.StoppedBeforeItsEnd();
            case SERVER_GONE -> new Remark.ServerGone(said.trouble(0));
            case SERVER_GONE_AT_THE_END -> new Remark.ServerGoneAtTheEnd(said.trouble(0));
            case NOTHING_ANSWERED -> new Remark.NothingAnswered(said.trouble(0));
            case WARMUP_FAILED -> new Remark.WarmupFailed(said.number(0), said.number(1));
            case WARMUP_UNANSWERED -> new Remark.WarmupUnanswered(said.number(0), said.number(1), said.number(2));
            case WARMUP_UNSTABLE -> new Remark.WarmupUnstable((long) (1e9 * said.figure(0)));
            case BUSY -> new Remark.GeneratorBusy(said.number(0));
            case OUT_OF_TIME -> new Remark.GeneratorOutOfTime(said.number(0), (long) said.figure(1));
            case TOO_FEW -> new Remark.TooFewRequests(said.number(0), said.number(1));
            case STRAYS -> new Remark.StrayBytes(said.number(0));
            case LATE_BOTTLENECK, LATE ->
                new Remark.GeneratorLate(Math.round(1e6 * said.figure(0)), Math.round(1e6 * said.figure(1)));
        };
    }
}
