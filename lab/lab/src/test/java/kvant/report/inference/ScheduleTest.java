package kvant.report.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import kvant.load.compare.Student;
import kvant.report.inference.Schedule.Design;
import org.junit.jupiter.api.Test;

/// The cost of a run's looks for each of its questions.
class ScheduleTest {

    private static final Schedule FIVE =
            new Schedule(Design.INTERLEAVED, new TreeMap<>(Map.of(2, 0.2, 4, 0.4, 6, 0.6, 8, 0.8, 10, 1.0)));

    private static int[] first(int rounds) {
        return IntStream.rangeClosed(1, rounds).toArray();
    }

    @Test
    void aFixedNumberIsJudgedByStudent() {
        assertThat(Schedule.FIXED.halfWidth(0.95, 6, first(6))).isEqualTo(Student.halfWidth(0.95, 5));
        assertThat(Schedule.FIXED.halfWidth(0.95, 2, first(2))).isNaN();
    }

    /// There is no interval before four units, so that looks before that have spent nothing.
    @Test
    void theFirstLookIsTheFirstAtWhichThereIsAnInterval() {
        assertThat(FIVE.halfWidth(0.95, 2, first(2))).isNaN();
        assertThat(FIVE.of(List.of(2, 4)).halfWidth(0.95, 4, first(4)))
                .isCloseTo(Student.halfWidth(1 - 0.05 * 0.16, 3), within(1e-6));
    }

    @Test
    void theIntervalOfALookIsNarrowerTheMoreTimeIsSpent() {
        double early = Student.halfWidth(0.95, 5) / FIVE.of(List.of(2, 4, 6)).halfWidth(0.95, 6, first(6));
        double late = Student.halfWidth(0.95, 9) / FIVE.halfWidth(0.95, 10, first(10));

        assertThat(late).isBetween(0.85, 0.98);
        assertThat(early).isLessThan(late);
    }

    /// A block that was disturbed leaves its look to the units that are there; the answer does not wait for others.
    @Test
    void aRoundThatWasLeftOutHasItsLook() {
        double eight = FIVE.of(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)).halfWidth(0.95, 8, first(8));
        double sooner = FIVE.of(List.of(1, 2, 3, 4, 5, 6, 7, 8)).halfWidth(0.95, 8, first(8));

        assertThat(eight).isBetween(Student.halfWidth(0.95, 7), 0.95 * sooner);
    }

    /// A question that had its answer at round 6 gets no more rounds: that others are looked at later gives it nothing.
    @Test
    void looksAfterTheLastRoundOfAQuestionAreNoneOfIts() {
        Schedule ended =
                new Schedule(Design.INTERLEAVED, new TreeMap<>(FIVE.looks().headMap(7)));
        List<Integer> six = List.of(1, 2, 3, 4, 5, 6);

        assertThat(FIVE.of(six).halfWidth(0.95, 6, first(6))).isEqualTo(ended.halfWidth(0.95, 6, first(6)));
        assertThat(FIVE.halfWidth(0.95, 6, first(6))).isLessThan(ended.halfWidth(0.95, 6, first(6)));
    }

    /// A block that was left out has no units; units that lie far off are left out of the judgement alone.
    @Test
    void fewerUnitsAreToldLess() {
        double all = FIVE.halfWidth(0.95, 10, first(10));

        assertThat(FIVE.halfWidth(0.95, 8, 1, 2, 5, 6, 7, 8, 9, 10))
                .isGreaterThan(all)
                .isFinite();
        assertThat(FIVE.halfWidth(0.95, 9, first(10)) / all)
                .isCloseTo(Student.halfWidth(0.95, 8) / Student.halfWidth(0.95, 9), within(1e-9));
    }

    /// Rounds at which the run has not looked have no share of the error.
    @Test
    void roundsThatNobodyHasLookedAtTellNothing() {
        assertThat(FIVE.halfWidth(0.95, 11, first(11))).isNaN();
        assertThat(new Schedule(Design.SEQUENTIAL, new TreeMap<>()).halfWidth(0.95, 4, 2, 4, 6, 8))
                .isNaN();
    }

    @Test
    void aPlanIsThatOfItsLastLook() {
        assertThat(Schedule.planned(Design.INTERLEAVED, 0.95, 10))
                .isEqualTo(Schedule.evenly(Design.INTERLEAVED, 10).halfWidth(0.95, 10, first(10)));
        assertThat(Schedule.planned(Design.SEQUENTIAL, 0.95, 3)).isNaN();
        assertThat(Schedule.planned(Design.SEQUENTIAL, 0.95, 1000) / Student.halfWidth(0.95, 999))
                .isBetween(1.02, 1.2);
    }
}
