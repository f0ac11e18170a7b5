package kvant.lab.result;

import static org.assertj.core.api.Assertions.assertThat;

import kvant.load.run.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Warnings of a load about itself, as remarks.
class LoadRemarksTest {

    @ParameterizedTest
    @EnumSource(Reason.class)
    void noSentenceOfALoadIsQuoted(Reason reason) {
        assertThat(Remark.ofLoad(reason.text("1", "2", "3"))).isNotInstanceOf(Remark.Given.class);
    }

    @Test
    void valuesHaveTheirUnits() {
        assertThat(Remark.ofLoad(Reason.LATE.text("1.843", "15.491")))
                .isEqualTo(new Remark.GeneratorLate(1_843_000, 15_491_000));
        assertThat(Remark.ofLoad(Reason.WARMUP_UNSTABLE.text("5")))
                .isEqualTo(new Remark.WarmupUnstable(5_000_000_000L));
        assertThat(Remark.ofLoad(Reason.OUT_OF_TIME.text("97", "98.9")))
                .as("one that missed its rate has not reached all of it")
                .isEqualTo(new Remark.GeneratorOutOfTime(97, 98));
        assertThat(Remark.ofLoad(Reason.WARMUP_FAILED.text("592", "1035", ": reset")))
                .isEqualTo(new Remark.WarmupFailed(592, 1035));
        assertThat(Remark.ofLoad(Reason.SERVER_GONE.text("Connection refused")))
                .isEqualTo(new Remark.ServerGone("Connection refused"));
        assertThat(Remark.ofLoad("it rained")).isEqualTo(new Remark.Given("it rained"));
    }
}
