package kvant.prove.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import kvant.prove.history.Linearizability.Verdict;
import kvant.prove.history.Operation.Cell;
import kvant.prove.history.Operation.Outcome;
import org.junit.jupiter.api.Test;

class LinearizabilityTest {

    private static final int X = 0;
    private static final int Y = 1;
    private static final long STATES = 100_000;

    private final List<Operation> history = new ArrayList<>();

    private static Cell cell(int key, int value) {
        return new Cell(key, value);
    }

    /// @param times of the call and the answer
    private void put(int value, long... times) {
        history.add(Operation.asked("PUT", List.of(), cell(X, value)).done(0).at(session(), times[0], times[1]));
    }

    private void open(int value, long... times) {
        history.add(Operation.asked("PUT", List.of(), cell(X, value)).at(session(), times[0], times[1]));
    }

    private void get(int value, long... times) {
        history.add(Operation.asked("GET", List.of()).done(0, cell(X, value)).at(session(), times[0], times[1]));
    }

    private void swap(int over, int value, Outcome outcome, long... times) {
        Operation asked = Operation.asked("PUT", List.of(cell(X, over)), cell(X, value));
        history.add((outcome == Outcome.DONE ? asked.done(0) : asked.refused()).at(session(), times[0], times[1]));
    }

    private long session() {
        return history.size();
    }

    private Verdict verdict() {
        return Linearizability.check(history, STATES).verdict();
    }

    @Test
    void operationsThatOverlapMayTakeEffectInAnyOrder() {
        put(1, 0, 10);
        put(2, 1, 9);
        get(2, 11, 12);
        get(2, 12, 13);
        assertThat(verdict()).isEqualTo(Verdict.YES);
        get(1, 14, 15);
        assertThat(verdict()).isEqualTo(Verdict.NO);
    }

    @Test
    void aStaleReadIsFound() {
        put(1, 0, 1);
        put(2, 2, 3);
        get(1, 4, 5);
        assertThat(verdict()).isEqualTo(Verdict.NO);
        assertThat(Linearizability.check(history, STATES).around()).containsExactlyElementsOf(history);
    }

    @Test
    void aLostUpdateIsFound() {
        put(1, 0, 1);
        swap(1, 2, Outcome.DONE, 2, 5);
        assertThat(verdict()).isEqualTo(Verdict.YES);
        swap(1, 3, Outcome.DONE, 3, 6);
        assertThat(verdict()).isEqualTo(Verdict.NO);
    }

    @Test
    void aRefusalNeedsAReason() {
        put(1, 0, 1);
        swap(1, 2, Outcome.REFUSED, 2, 5);
        assertThat(verdict()).isEqualTo(Verdict.NO);
        put(3, 3, 4);
        assertThat(verdict()).isEqualTo(Verdict.YES);
    }

    @Test
    void aDeletedValueThatComesBackIsFound() {
        put(1, 0, 1);
        put(Cell.ABSENT, 2, 3);
        get(Cell.ABSENT, 4, 5);
        assertThat(verdict()).isEqualTo(Verdict.YES);
        get(1, 6, 7);
        assertThat(verdict()).isEqualTo(Verdict.NO);
    }

    @Test
    void halfATransactionIsFound() {
        history.add(Operation.asked("EXEC", List.of(), cell(X, 1), cell(Y, 2))
                .done(0)
                .at(0, 0, 9));
        history.add(Operation.asked("GET", List.of()).done(0, cell(X, 1)).at(1, 1, 2));
        history.add(Operation.asked("range", List.of())
                .done(0, cell(X, 1), cell(Y, 2))
                .at(1, 3, 4));
        assertThat(verdict()).isEqualTo(Verdict.YES);
        history.add(Operation.asked("range", List.of())
                .done(0, cell(X, 1), cell(Y, 0))
                .at(1, 5, 6));
        assertThat(verdict()).isEqualTo(Verdict.NO);
    }

    @Test
    void anOpenWriteTookEffectBeforeItsEndOrNever() {
        put(1, 0, 1);
        open(2, 2, 10);
        get(1, 11, 12);
        assertThat(verdict()).isEqualTo(Verdict.YES);
        get(2, 13, 14);
        assertThat(verdict()).as("it came after its end").isEqualTo(Verdict.NO);
        history.remove(2);
        assertThat(verdict()).isEqualTo(Verdict.YES);
        get(1, 15, 16);
        assertThat(verdict()).as("it was taken back").isEqualTo(Verdict.NO);
    }

    @Test
    void anOpenWriteWithoutAnEndMayTakeEffectAtAnyTime() {
        put(1, 0, 1);
        open(2, 2, Operation.NEVER);
        get(1, 11, 12);
        get(2, 13, 14);
        assertThat(verdict()).isEqualTo(Verdict.YES);
    }

    @Test
    void requestsOfOneConnectionTakeEffectInTheirOrder() {
        history.add(Operation.asked("GET", List.of()).done(0, cell(X, 1)).at(7, 0, 5));
        history.add(Operation.asked("PUT", List.of(), cell(X, 1)).done(0).at(8, 0, 5));
        assertThat(verdict()).isEqualTo(Verdict.YES);
        history.set(1, history.get(1).at(7, 0, 5));
        assertThat(verdict()).isEqualTo(Verdict.NO);
    }

    @Test
    void whatIsTooMuchToSearchIsUndecided() {
        IntStream.range(1, 40).forEach(value -> open(value, 0, 100));
        get(50, 1, 2);
        assertThat(Linearizability.check(history, 1_000).verdict()).isEqualTo(Verdict.UNDECIDED);
    }

    /// Against all orders of short histories.
    @Test
    void itSaysWhatTryingAllOrdersSays() {
        long seed = Long.getLong("kvant.seed", System.nanoTime());
        Random random = new Random(seed);
        int tries = Integer.getInteger("kvant.tries", 3_000);
        int found = 0;
        for (int i = 0; i < tries; i++) {
            history.clear();
            history.add(Operation.asked("both are one object", List.of(), cell(X, 0), cell(Y, 0))
                    .done(0)
                    .at(9, -2, -1));
            int[] values = {0};
            int count = 2 + random.nextInt(5);
            for (int j = 0; j < count; j++) {
                history.add(any(random, values));
            }
            boolean isLinearizable = canFollow(new ArrayList<>(history), new int[2]);
            found += isLinearizable ? 1 : 0;
            assertThat(verdict()).as("seed %d: %s", seed, history).isEqualTo(isLinearizable ? Verdict.YES : Verdict.NO);
        }
        assertThat(found).as("neither all nor none").isBetween(tries / 10, tries * 9 / 10);
    }

    private Operation any(Random random, int[] values) {
        int key = random.nextInt(2);
        List<Cell> conditions = random.nextInt(3) > 0 ? List.of() : List.of(cell(key, random.nextInt(4) - 1));
        boolean isRead = random.nextBoolean();
        Cell[] writes = isRead
                ? new Cell[0]
                : random.nextBoolean()
                        ? new Cell[] {cell(key, ++values[0])}
                        : new Cell[] {cell(X, ++values[0]), cell(Y, 0)};
        Operation asked = Operation.asked(isRead ? "read" : "write", isRead ? List.of() : conditions, writes);
        Operation answer = isRead
                ? asked.done(0, cell(key, random.nextInt(3)))
                : switch (random.nextInt(4)) {
                    case 0 -> asked;
                    case 1 -> conditions.isEmpty() ? asked.done(0) : asked.refused();
                    default -> asked.done(0);
                };
        long called = random.nextInt(12);
        long ended = answer.isOpen() && random.nextBoolean() ? Operation.NEVER : called + 1 + random.nextInt(8);
        return answer.at(random.nextInt(3), called, ended);
    }

    private boolean canFollow(List<Operation> left, int[] state) {
        if (left.stream().allMatch(Operation::isOpen)) {
            return true;
        }
        for (Operation one : left) {
            List<Operation> rest = new ArrayList<>(left);
            rest.remove(one);
            boolean isFirst = left.stream()
                    .noneMatch(other -> other.ended() < one.called() || other != one && isBefore(other, one));
            boolean neverTookEffect = one.isOpen() && canFollow(rest, state);
            if (neverTookEffect || isFirst && isPossible(one, rest, state)) {
                return true;
            }
        }
        return false;
    }

    private boolean isPossible(Operation one, List<Operation> rest, int[] state) {
        boolean holds = one.conditions().stream().allMatch(cell -> isSo(cell, state));
        if (one.outcome() == Outcome.REFUSED) {
            return !holds && canFollow(rest, state);
        }
        if (!holds || !one.reads().stream().allMatch(cell -> isSo(cell, state))) {
            return false;
        }
        int[] after = state.clone();
        one.writes().forEach(cell -> after[cell.key()] = cell.value());
        return canFollow(rest, after);
    }

    private static boolean isSo(Cell cell, int[] state) {
        return cell.value() == Cell.PRESENT ? state[cell.key()] != 0 : state[cell.key()] == cell.value();
    }

    /// In the order of a session; an open one need not come first, nor a read before another one.
    private boolean isBefore(Operation other, Operation one) {
        List<Operation> session = history.stream()
                .filter(any -> any.session() == one.session() && (any == one || !any.isOpen()))
                .sorted(Comparator.comparingLong(Operation::called))
                .toList();
        int first = session.indexOf(other);
        int last = session.indexOf(one);
        return first >= 0
                && first < last
                && session.subList(first, last + 1).stream()
                        .anyMatch(any -> !any.writes().isEmpty());
    }

    @Test
    void updatesThatGoSideBySideKeepTheOrderOfTheirKey() {
        history.add(Operation.asked("GETDEL", List.of(), cell(Y, 0))
                .done(0, cell(Y, 1))
                .at(7, 0, 9));
        history.add(Operation.asked("batch", List.of(), cell(X, 0), cell(Y, 1))
                .done(0)
                .at(8, 0, 1));
        history.add(Operation.asked("SET", List.of(), cell(X, 2)).done(0).at(7, 0, 9));
        history.add(Operation.asked("range", List.of())
                .done(0, cell(X, 2), cell(Y, 1))
                .at(8, 2, 3));
        assertThat(verdict()).as("of different keys").isEqualTo(Verdict.YES);
        history.set(
                0,
                Operation.asked("GETDEL", List.of(), cell(Y, 0))
                        .done(0, cell(Y, 2))
                        .at(7, 0, 9));
        history.set(2, Operation.asked("SET", List.of(), cell(Y, 2)).done(0).at(7, 0, 9));
        history.removeLast();
        assertThat(verdict()).as("of one key").isEqualTo(Verdict.NO);
    }
}
