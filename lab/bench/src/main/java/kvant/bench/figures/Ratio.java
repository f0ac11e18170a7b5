package kvant.bench.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import kvant.text.Json;

/// A comparison of two alternatives over the rounds of one run: median, minimum and maximum of a figure of the rounds.
/// Each figure is from one round, so that disturbances of the machine affect both alternatives.
public record Ratio(double median, double least, double most) {

    /// @param rounds a ratio or a difference for each round, at least one
    public static Ratio of(List<Double> rounds) {
        List<Double> sorted = rounds.stream().sorted().toList();
        return new Ratio(median(sorted), sorted.getFirst(), sorted.getLast());
    }

    /// @param ours one for each round
    /// @param theirs of the same rounds
    public static <T> Ratio of(List<T> ours, List<T> theirs, ToDoubleFunction<T> figure) {
        return of(ours, theirs, figure, figure);
    }

    /// @param other figure of theirs
    public static <T> Ratio of(List<T> ours, List<T> theirs, ToDoubleFunction<T> figure, ToDoubleFunction<T> other) {
        List<Double> rounds = new ArrayList<>();
        for (int i = 0; i < Math.min(ours.size(), theirs.size()); i++) {
            rounds.add(figure.applyAsDouble(ours.get(i)) / other.applyAsDouble(theirs.get(i)));
        }
        return of(rounds);
    }

    /// For an even number, the mean of the two middle values.
    public static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    public static <T> double median(List<T> runs, ToDoubleFunction<T> figure) {
        return median(runs.stream().mapToDouble(figure).boxed().toList());
    }

    /// The text for a cell of a table: `**1.02** (0.98 to 1.10)`.
    public String text() {
        return text(2);
    }

    public String text(int decimals) {
        String number = "%." + decimals + "f";
        return String.format(Locale.ROOT, "**" + number + "** (" + number + " to " + number + ")", median, least, most);
    }

    /// Writes a member of the current object.
    public void write(Json json, String name) {
        json.open(name)
                .put("median", median)
                .put("least", least)
                .put("most", most)
                .close();
    }
}
