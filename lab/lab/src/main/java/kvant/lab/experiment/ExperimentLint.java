package kvant.lab.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import kvant.lab.experiment.Variant.Server;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.lab.result.Remark;
import kvant.load.keys.KeyPlan;
import kvant.text.Units;

/// Checks an experiment for known flaws in method, taken from published tests. They are reported before the first run
/// and in the report, because each of them yields figures that look like an answer.
public final class ExperimentLint {

    private static final int UNBOUNDED = Integer.MAX_VALUE;

    /// The defaults of `kvant serve`.
    private static final String USUAL_QUEUE = "1024";

    private static final Duration SHORT_WARMUP = Duration.ofSeconds(5);

    private final Experiment experiment;
    private final int cores;
    private final List<Remark> doubts = new ArrayList<>();

    private ExperimentLint(Experiment experiment, int cores) {
        this.experiment = experiment;
        this.cores = cores;
    }

    /// @param cores of the machine that runs the experiment
    public static List<Remark> of(Experiment experiment, int cores) {
        ExperimentLint own = new ExperimentLint(experiment, cores);
        for (Variant variant : experiment.variants()) {
            own.queueThatNeverFills(variant);
        }
        own.unlikeConnections();
        if (experiment.repeats() < 2 && !experiment.questions().isEmpty()) { // fault 6: the variation is unknown
            own.doubts.add(new Remark.SingleRepeat());
        }
        for (Phase phase : experiment.phases()) {
            own.shortWarmup(phase);
            int threads = phase.clients().threads();
            if (threads > cores) {
                own.doubts.add(new Remark.MoreThreadsThanCores(phase.name(), threads, cores));
            }
            own.goneKeys(phase);
        }
        return own.doubts;
    }

    /// Fault 2: the requests in flight fit into queue and workers, so that all longer queues are equivalent.
    private void queueThatNeverFills(Variant variant) {
        if (!(variant.server() instanceof Server.Kvant node)
                || !node.flags().getOrDefault("executor", "adaptive").equals("async")) {
            return;
        }
        long queue = bound(node.flags().getOrDefault("queue", USUAL_QUEUE));
        long workers = bound(node.flags().getOrDefault("workers", Integer.toString(cores)));
        TreeSet<Long> flights = new TreeSet<>();
        List<String> names = new ArrayList<>();
        for (Phase phase : experiment.phases()) {
            long inFlight = (long) variant.connections(phase) * phase.clients().depth();
            if (queue >= 0 && workers >= 0 && inFlight <= queue + workers) {
                flights.add(inFlight);
                names.add(phase.name());
            }
        }
        if (!names.isEmpty()) {
            doubts.add(
                    queue == UNBOUNDED
                            ? new Remark.UnboundedQueueNeverFills(variant.name(), names, flights.last())
                            : new Remark.QueueNeverFills(variant.name(), names, queue, flights.last()));
        }
    }

    /// A number among the options of `kvant serve`, or -1 if it is none.
    private static long bound(String text) {
        if (text.equals("unbounded")) {
            return UNBOUNDED;
        }
        try {
            return Units.count(text);
        } catch (IllegalArgumentException _) {
            return -1; // reported by serve itself
        }
    }

    /// Fault 3: two parameters changed at once.
    private void unlikeConnections() {
        for (Question question : experiment.questions()) {
            for (Phase phase : experiment.phases()) {
                long different = question.compare().stream()
                        .map(name -> experiment.variant(name).connections(phase))
                        .distinct()
                        .count();
                if (different > 1
                        && (question.phase().isEmpty() || question.phase().equals(phase.name()))) {
                    doubts.add(new Remark.UnlikeConnections(question.id(), phase.name()));
                }
            }
        }
    }

    /// Fault 5. Compilation before readiness counts: a node then handles its own warm-up requests.
    private void shortWarmup(Phase phase) {
        Duration limit = phase.pace().warmup().limit();
        boolean cold = experiment.variants().stream()
                .filter(variant -> variant.gets(phase.name()))
                .anyMatch(variant -> limit.plus(variant.server().warmUp()).compareTo(SHORT_WARMUP) < 0);
        if (cold && !phase.pace().warmup().auto()) {
            doubts.add(new Remark.ShortWarmup(phase.name(), limit.toNanos()));
        }
    }

    /// Fault 7, a variant of it: the keys run out.
    private void goneKeys(Phase phase) {
        Map<String, String> settings = phase.settings();
        double due = phase.pace().rate()
                * phase.pace().duration().plus(phase.pace().warmup().limit()).toSeconds();
        boolean deletes = phase.workload().mix().delete() > 0
                && phase.workload().keyPlan().equals(KeyPlan.SEQUENTIAL);
        if (deletes && due * phase.workload().mix().delete() > phase.prefill()) {
            doubts.add(new Remark.MoreDeletesThanKeys(phase.name(), phase.prefill()));
        }
        if (phase.prefill() < phase.workload().keys()
                && phase.workload().mix().needsKeys()
                && settings.containsKey("keys")) {
            doubts.add(new Remark.KeysNeverPut(phase.name(), phase.workload().keys(), phase.prefill()));
        }
    }
}
