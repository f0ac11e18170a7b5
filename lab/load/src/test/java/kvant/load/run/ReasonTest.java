package kvant.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import kvant.load.run.Reason.Said;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Sentences that results have, read back.
class ReasonTest {

    @ParameterizedTest
    @EnumSource(Reason.class)
    void eachSentenceIsReadBackWithItsValues(Reason reason) {
        Said said = Reason.read(reason.text("17", "2.5", "9")).orElseThrow();

        assertThat(said.reason()).isEqualTo(reason);
        assertThat(said.values())
                .isEqualTo(List.of("17", "2.5", "9").subList(0, said.values().size()));
        assertThat(reason.text(said.values().toArray())).isEqualTo(reason.text("17", "2.5", "9"));
    }

    @Test
    void aNumberIsANumberAndATroubleStandsWithoutItsColon() {
        assertThat(Reason.read("no request was answered: Connection refused: a\nb"))
                .hasValueSatisfying(said -> assertThat(said.trouble(0)).isEqualTo("Connection refused: a\nb"));
        assertThat(Reason.read("no request was answered"))
                .hasValueSatisfying(said -> assertThat(said.trouble(0)).isEmpty());
        Said late = Reason.read(Reason.LATE.text("1.843", "NaN")).orElseThrow();
        assertThat(late.figure(0)).isEqualTo(1.843);
        assertThat(late.number(0)).isEqualTo(2);
        assertThat(late.figure(1)).isZero();
        assertThat(Reason.read("it rained")).isEmpty();
    }
}
