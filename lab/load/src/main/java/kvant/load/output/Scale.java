package kvant.load.output;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// An axis of a chart: from values to places, 0 to 1, linear or logarithmic.
///
/// @param ticks values that get a line and a number
record Scale(double low, double high, boolean logarithmic, List<Double> ticks) {

    static Scale linear(double low, double high) {
        return new Scale(low, high, false, List.of());
    }

    static Scale powers(double low, double high) {
        return new Scale(low, high, true, List.of());
    }

    /// Whole powers of ten around what there is, a tick at each.
    static Scale decades(double least, double most) {
        int from = (int) Math.floor(Math.log10(least));
        int to = Math.max(from + 1, (int) Math.ceil(Math.log10(most)));
        List<Double> ticks = new ArrayList<>();
        for (int power = from; power <= to; power++) {
            ticks.add(Math.pow(10, power));
        }
        return powers(ticks.getFirst(), ticks.getLast()).withTicks(ticks);
    }

    Scale withTicks(List<Double> other) {
        return new Scale(low, high, logarithmic, List.copyOf(other));
    }

    /// Values outside of the scale are placed at its edge.
    double place(double value) {
        double place = logarithmic
                ? Math.log10(Math.max(value, low) / low) / Math.log10(high / low)
                : (value - low) / (high - low);
        return Math.clamp(place, 0, 1);
    }

    static String text(double tick) {
        return tick == Math.rint(tick)
                ? Long.toString((long) tick)
                : String.format(Locale.ROOT, "%.3g", tick).replaceAll("0+$", "");
    }
}
