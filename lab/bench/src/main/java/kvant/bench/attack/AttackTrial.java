package kvant.bench.attack;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import kvant.bench.attack.Newcomer.Visit;
import kvant.bench.attack.swarm.Tally;
import kvant.bench.process.LoadMeasurement;
import kvant.lab.process.Workbench;
import kvant.lab.run.ServedNode;

/// An attack on its own node:
///
///     start -> fill -> prepare -> before | attack | after -> check acknowledged writes -> SIGTERM
///
/// Belongs to one thread.
final class AttackTrial {

    private static final double NANOS = 1e9;

    private final Workbench bench;
    private final Attack attack;
    private final Effort effort;

    private AttackTrial(Workbench bench, Attack attack, Effort effort) {
        this.bench = bench;
        this.attack = attack;
        this.effort = effort;
    }

    static Outcome run(Workbench bench, Attack attack, Effort effort) throws IOException, InterruptedException {
        return new AttackTrial(bench, attack, effort).run();
    }

    private Outcome run() throws IOException, InterruptedException {
        try (ServedNode node = ServedNode.start(bench, attack.name(), attack.start(effort))) {
            Scene scene = new Scene(node, effort);
            attack.assault().prepare(scene);
            GoodClient good = GoodClient.start(node.target(), effort);
            try (Newcomer newcomer = Newcomer.start(node.target().address(), effort.patience());
                    Vitals vitals = Vitals.start(node, effort.measures())) {
                sleep(effort.before());
                Attacked attacked = attack(scene);
                sleep(effort.after());
                newcomer.end();
                vitals.end();
                return outcome(attacked, new Watched(node, good, good.end(), newcomer, vitals));
            } finally {
                LoadMeasurement _ = good.end();
            }
        }
    }

    private static void sleep(double seconds) throws InterruptedException {
        Thread.sleep((long) (seconds * 1000));
    }

    /// @param begin of the attack, of `System.nanoTime`
    /// @param linesBefore number of log lines before it
    private record Attacked(long begin, long end, long linesBefore, List<Tally> attackers, List<String> complaints) {}

    /// The node and its observers.
    private record Watched(
            ServedNode node, GoodClient good, LoadMeasurement service, Newcomer newcomer, Vitals vitals) {}

    private Attacked attack(Scene scene) throws IOException, InterruptedException {
        long linesBefore = logLines(scene.node());
        long begin = System.nanoTime();
        try (scene) {
            attack.assault().begin(scene);
            double left = effort.seconds(attack) - (System.nanoTime() - begin) / NANOS;
            boolean _ = scene.awaitOver(left);
        }
        long end = System.nanoTime();
        return new Attacked(
                begin, end, linesBefore, scene.tallies(), attack.assault().complaints(scene));
    }

    private Outcome outcome(Attacked attacked, Watched watched) throws IOException {
        InetSocketAddress address = watched.node().target().address();
        boolean answers = answers(address);
        boolean keeps = !attack.endsService();
        long lost = answers && keeps ? watched.newcomer().lost(address) : -1;
        long stopBegin = System.nanoTime();
        watched.node().close();
        double stopSeconds = (System.nanoTime() - stopBegin) / NANOS;
        if (!answers && keeps) {
            lost = lostAfterRestart(watched);
        }
        Phases phases = Phases.of(watched.good().stretches(), attacked.begin(), attacked.end());
        List<Visit> visits = watched.newcomer().visits(attacked.begin(), attacked.end());
        return new Outcome(
                attack,
                LoadMeasurement.millis(phases.before(), 99),
                LoadMeasurement.millis(phases.during(), 99),
                LoadMeasurement.millis(phases.after(), 99),
                watched.service().refused(),
                watched.service().broken() + watched.service().other(),
                visits.size(),
                visits.stream().filter(Visit::isServed).count(),
                visits.stream().mapToDouble(Visit::millis).max().orElse(Double.NaN),
                phases.normalSeconds(),
                answers,
                watched.vitals().residentBytes(),
                watched.vitals().directBytes(),
                logLines(watched.node()) - attacked.linesBefore(),
                stopSeconds,
                watched.newcomer().acknowledgedKeys(),
                lost,
                attacked.attackers(),
                attacked.complaints());
    }

    private boolean answers(InetSocketAddress node) {
        try {
            return Scene.ask(node, effort.patience(), "GET", "/v0/status", new byte[0])
                            .status()
                    == 200;
        } catch (IOException _) {
            return false;
        }
    }

    private long lostAfterRestart(Watched watched) throws IOException {
        Path data = watched.node().data();
        try (ServedNode again = ServedNode.start(bench, data, ServedNode.Start.of())) {
            return watched.newcomer().lost(again.target().address());
        }
    }

    private static long logLines(ServedNode node) throws IOException {
        try (Stream<String> lines = Files.lines(node.log())) {
            return lines.filter(line -> !line.contains(" audit [")).count(); // which has a bound of its own
        }
    }
}
