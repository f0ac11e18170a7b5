package kvant.bench.attack;

import java.util.List;
import kvant.bench.attack.GoodClient.Stretch;
import kvant.bench.process.LoadMeasurement;
import org.HdrHistogram.Histogram;

/// The good client's response times before, during and after an attack.
///
/// @param during the attack, and until recovery
/// @param normalSeconds from the end of the attack to recovery, NaN without recovery
record Phases(Histogram before, Histogram during, Histogram after, double normalSeconds) {

    static Phases of(List<Stretch> stretches, long begin, long end) {
        Histogram before = new Histogram(3);
        Histogram during = new Histogram(3);
        Histogram after = new Histogram(3);
        stretches.stream()
                .filter(stretch -> stretch.endNanos() <= begin)
                .forEach(stretch -> before.add(stretch.response()));
        double most = Bounds.mostMillis(LoadMeasurement.millis(before, 99));
        double normal = Double.NaN;
        for (Stretch stretch : stretches) {
            if (Double.isNaN(normal) && stretch.beginNanos() >= end && isNormal(stretch, most)) {
                normal = (stretch.beginNanos() - end) / 1e9;
            }
            if (stretch.endNanos() > begin) {
                (Double.isNaN(normal) ? during : after).add(stretch.response());
            }
        }
        return new Phases(before, during, after, normal);
    }

    private static boolean isNormal(Stretch stretch, double mostMillis) {
        return stretch.isBusy() && stretch.errors() == 0 && stretch.p99Millis() <= mostMillis;
    }
}
