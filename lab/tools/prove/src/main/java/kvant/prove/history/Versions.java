package kvant.prove.history;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import kvant.prove.history.Operation.Cell;

/// The versions (`ETag`) that answers named: each belongs to one write, and grows with time over all keys and restarts.
final class Versions {

    private Versions() {}

    /// @return what is wrong, or empty
    static String fault(List<Operation> history) {
        Map<Long, Cell> cells = new HashMap<>();
        Map<Cell, Long> versions = new HashMap<>();
        List<Operation> versioned = history.stream()
                .filter(one -> one.version() != 0)
                .sorted(Comparator.comparingLong(Operation::called))
                .toList();
        for (Operation one : versioned) {
            Cell cell = one.writes().isEmpty()
                    ? one.reads().getFirst()
                    : one.writes().getLast();
            if (cell.value() != Cell.ABSENT) {
                Cell other = cells.putIfAbsent(one.version(), cell);
                Long earlier = versions.putIfAbsent(cell, one.version());
                if (other != null && !other.equals(cell) || earlier != null && earlier != one.version()) {
                    return "two versions of a value, or two values of a version: " + one;
                }
            }
        }
        return order(versioned);
    }

    /// A write that was sent after an answer has a greater version than that answer named.
    private static String order(List<Operation> versioned) {
        PriorityQueue<Operation> underWay = new PriorityQueue<>(Comparator.comparingLong(Operation::ended));
        Operation newest = null;
        for (Operation one : versioned) {
            while (!underWay.isEmpty() && underWay.peek().ended() < one.called()) {
                Operation ended = underWay.poll();
                newest = newest == null || ended.version() > newest.version() ? ended : newest;
            }
            if (newest != null && !one.writes().isEmpty() && one.version() <= newest.version()) {
                return "a version went back: " + one + " after " + newest;
            }
            underWay.add(one);
        }
        return "";
    }
}
