package kvant.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.BooleanSupplier;
import kvant.lab.experiment.Experiment.HostBound;
import kvant.lab.run.StepRunner.CalmRule;
import kvant.load.loop.StopSwitch;
import org.junit.jupiter.api.Test;

/// Whether a disturbed measurement is repeated.
class CalmRuleTest {

    private static final HostBound TWICE = new HostBound(0.1, 2);

    private final StopSwitch stop = new StopSwitch();

    private CalmRule rule(BooleanSupplier hasTime) {
        return new CalmRule(TWICE, stop, hasTime);
    }

    @Test
    void thereAreAsManyMoreAttemptsAsTheRunSettled() {
        CalmRule rule = rule(() -> true);

        assertThat(rule.allowsAnother(0)).isTrue();
        assertThat(rule.allowsAnother(1)).isTrue();
        assertThat(rule.allowsAnother(2)).isFalse();
    }

    /// A turn within a round asks as well: time that is over is not spent on the rest of its turns.
    @Test
    void whatIsDisturbedCountsAsItIsWhereTheTimeIsOverOrTheRunIsStopped() {
        assertThat(rule(() -> false).allowsAnother(0)).isFalse();
        CalmRule rule = rule(() -> true);
        stop.stop();
        assertThat(rule.allowsAnother(0)).isFalse();
    }

    @Test
    void aHostThatIsNeverCalmIsTakenAsItIsUntilItWasCalmOnce() {
        CalmRule rule = rule(() -> true);
        for (int i = 0; i < CalmRule.MOST_NEVER_CALM; i++) {
            assertThat(rule.allowsAnother(0)).isTrue();
            rule.ended(false, 2);
        }
        assertThat(rule.allowsAnother(0)).isFalse();

        rule.ended(true, 0);
        assertThat(rule.allowsAnother(0)).isTrue();
    }

    /// It is unknown whether the next attempt would have been calm.
    @Test
    void anAttemptThatNobodyRepeatedSaysNothingOfTheHost() {
        CalmRule rule = rule(() -> true);
        for (int i = 0; i < 2 * CalmRule.MOST_NEVER_CALM; i++) {
            rule.ended(false, 1);
        }
        assertThat(rule.allowsAnother(0)).isTrue();
    }
}
