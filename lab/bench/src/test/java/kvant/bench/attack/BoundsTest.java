package kvant.bench.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BoundsTest {

    private static final Attack ATTACK = Attack.of("a", "does", _ -> {});
    private static final Attack REMOVAL = Attack.of("r", "removes", _ -> {}).endingService();

    /// Where all is well but what is given.
    private static Outcome outcome(Attack attack, double during, long refused, double normal, long lines, long lost) {
        return new Outcome(
                attack, 4, during, 4, refused, 0, 10, 10, 5, normal, true, 0, 0, lines, 0.1, 10, lost, List.of(),
                List.of());
    }

    @Test
    void aNodeThatServesAsUsualBreaksNone() {
        assertThat(Bounds.broken(outcome(ATTACK, 19, 0, 0, 10, 0))).isEmpty();
    }

    @Test
    void eachBoundCanBeBroken() {
        assertThat(Bounds.broken(outcome(ATTACK, 21, 0, 0, 0, 0))).containsExactly("p99");
        assertThat(Bounds.broken(outcome(ATTACK, 4, 1, 0, 0, 0))).containsExactly("refused");
        assertThat(Bounds.broken(outcome(ATTACK, 4, 0, 6, 0, 0))).containsExactly("not normal in time");
        assertThat(Bounds.broken(outcome(ATTACK, 4, 0, 0, 11, 0))).containsExactly("log");
        assertThat(Bounds.broken(outcome(ATTACK, 4, 0, 0, 0, 1))).containsExactly("acknowledged puts lost");
    }

    @Test
    void whatWasNeverMeasuredIsNoGoodFigure() {
        assertThat(Bounds.broken(outcome(ATTACK, Double.NaN, 0, Double.NaN, 0, -1)))
                .containsExactly("acknowledged puts lost", "p99", "not normal in time");
    }

    @Test
    void whoTakesAwayWhatTheNodeNeedsMayBeRefused() {
        assertThat(Bounds.broken(outcome(REMOVAL, 4000, 100, Double.NaN, 0, -1)))
                .isEmpty();
    }

    @Test
    void twiceAMuchUsedMachinesUsualIsAsUsual() {
        assertThat(Bounds.mostMillis(30)).isEqualTo(60);
        assertThat(Bounds.mostMillis(1)).isEqualTo(20);
    }
}
