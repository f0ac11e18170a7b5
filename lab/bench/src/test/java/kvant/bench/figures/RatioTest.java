package kvant.bench.figures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import kvant.text.Json;
import org.junit.jupiter.api.Test;

class RatioTest {

    @Test
    void aRatioIsOfTheRoundsAndNotOfTheMedians() {
        Ratio ratio = Ratio.of(List.of(10.0, 30.0, 20.0), List.of(10.0, 10.0, 40.0), value -> value);

        assertThat(ratio).isEqualTo(new Ratio(1, 0.5, 3));
        assertThat(ratio.text()).isEqualTo("**1.00** (0.50 to 3.00)");
        assertThat(ratio.text(0)).startsWith("**1** (").endsWith(" to 3)");
    }

    @Test
    void theMedianOfAnEvenNumberIsBetweenTheTwoInTheMiddle() {
        assertThat(Ratio.median(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(2.5);
        assertThat(Ratio.median(List.of(3.0, 1.0, 2.0))).isEqualTo(2);
    }

    @Test
    void aProgramGetsAllThree() {
        Json json = Json.line().open();
        new Ratio(1, 0.5, 2).write(json, "rate");

        assertThat(json.close().toString()).isEqualTo("{\"rate\":{\"median\":1,\"least\":0.500,\"most\":2}}");
    }
}
