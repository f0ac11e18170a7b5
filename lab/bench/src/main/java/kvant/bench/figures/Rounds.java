package kvant.bench.figures;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/// The results of contenders in the rounds of one run, with one turn each per round. Belongs to one thread.
///
/// @param <T> result of one turn of one contender
public final class Rounds<T> {

    private final Map<String, List<T>> turns = new LinkedHashMap<>();

    /// Adds the next turn of a contender.
    public void add(String name, T turn) {
        turns.computeIfAbsent(name, _ -> new ArrayList<>()).add(turn);
    }

    /// Names in the order of their first turns.
    public Set<String> names() {
        return turns.keySet();
    }

    public boolean has(String name) {
        return turns.containsKey(name);
    }

    /// The turns of a contender by round; empty if it had none.
    public List<T> of(String name) {
        return turns.getOrDefault(name, List.of());
    }

    public double median(String name, ToDoubleFunction<T> figure) {
        return Ratio.median(of(name), figure);
    }

    /// The median for a cell of a table.
    public String cell(String format, String name, ToDoubleFunction<T> figure) {
        return MarkdownTable.number(format, median(name, figure));
    }

    /// The ratio to another contender in the same rounds.
    public Ratio ratio(String name, String base, ToDoubleFunction<T> figure) {
        return Ratio.of(of(name), of(base), figure);
    }
}
