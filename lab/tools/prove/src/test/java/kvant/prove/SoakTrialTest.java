package kvant.prove;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Violation;
import org.junit.jupiter.api.Test;

class SoakTrialTest {

    @Test
    void growthUnderAConstantLoadIsAViolation() throws Exception {
        Figures figures = new Figures();
        List<long[]> samples = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            samples.add(new long[] {600 - i, 100 + i % 2, 40, 900 + 10 * i});
        }
        SoakTrial.grow(samples, figures);
        assertThat(figures.toString())
                .isEqualTo("most MiB resident 600, most descriptors 101, most threads 40, most MiB on disk 990");

        samples.add(new long[] {600, 127, 40, 990});
        assertThatThrownBy(() -> SoakTrial.grow(samples, new Figures()))
                .isInstanceOf(Violation.class)
                .hasMessage("descriptors grow under a constant load: at most 101 in the first half, 127 in the second");
    }
}
