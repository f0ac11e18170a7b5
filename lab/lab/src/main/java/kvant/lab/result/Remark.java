package kvant.lab.result;

import java.util.List;

/// Something that a run has to tell: what should be there and is not, why, and what is doubtful. A kind and
/// its figures, in no language; the report's catalogue has a sentence for each kind in each language, and
/// what comes from elsewhere (a message of a JVM, the last line of a server) is quoted in it.
///
/// A component whose name ends in `Nanos` is a time, one that ends in `Bytes` a size, and `n` is the number
/// that a noun depends on.
public sealed interface Remark {

    /// What somebody else said, as it is. Also what a reader does not know.
    record Given(String text) implements Remark {}

    static Remark given(Exception why) {
        return new Given(String.valueOf(why.getMessage()));
    }

    // --- what is doubtful about an experiment ---

    /// What is in flight fits into queue and workers: every queue of this length or longer is the same.
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

    // --- why a variant cannot start ---

    record OptionsRefused(String options, String reason) implements Remark {}

    record JvmRefused(String options, String reason) implements Remark {}

    record CannotStart(String program, String reason) implements Remark {}

    record NoFolder(String folder) implements Remark {}

    record NoProgram(String program) implements Remark {}

    record NoProgramOnPath(String program) implements Remark {}

    /// @param packageName of Debian
    record PackageNotInstalled(String program, String packageName) implements Remark {}

    record BenchmarksNotBuilt() implements Remark {}

    // --- why a step was not measured ---

    record ServerEnded(long exitCode, String lastWords) implements Remark {}

    record ServerNotReady(long limitNanos, String lastWords) implements Remark {}

    record ServerEndedUnderLoad(long exitCode, String lastWords) implements Remark {}

    /// @param of requests that were sent in the warm-up
    record WarmupFailed(long n, long of) implements Remark {}

    /// @param n requests that were sent in the measured time
    record NobodyAnswered(long n) implements Remark {}

    record StoppedBeforeItsEnd() implements Remark {}

    record FailedInARow(long n) implements Remark {}

    /// Of a whole run.
    record StepsToGo(long n, long of) implements Remark {}

    /// Of a whole run.
    record StepsFailed(long n, long of, Remark reason) implements Remark {}

    // --- what a load says against itself ---

    /// @param reason what went wrong last, or empty
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

    // --- what is not there ---

    record VariantOf(String variant) implements Remark {}

    record TheReport() implements Remark {}

    record ProfileOf(String variant, String phase) implements Remark {}

    record ProfilePart(String folder, String event) implements Remark {}

    record EventsOf(String step) implements Remark {}

    record AttributionOf(String step) implements Remark {}

    record FileOf(String file) implements Remark {}

    // --- and why ---

    record NothingSampled(String variant) implements Remark {}

    record RecordingUnreadable(String reason) implements Remark {}

    record NoSamplesOfSlowRequests(long n) implements Remark {}

    record NoSlowRequests(String event, long thresholdNanos) implements Remark {}

    record NoRequestsTold(String reason) implements Remark {}

    record FileAbsent() implements Remark {}

    record FileOutside() implements Remark {}

    // --- what a reader of a tail attribution should know ---

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
}
