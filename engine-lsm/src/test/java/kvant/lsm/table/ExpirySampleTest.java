package kvant.lsm.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ExpirySampleTest {

    @Test
    void withoutExpiringRecordsThereIsNoMedian() {
        ExpirySample sample = new ExpirySample();
        assertThat(sample.medianMillis()).isEqualTo(ExpirySample.NEVER);
        assertThat(sample.bytes()).isZero();
    }

    @Test
    void fewRecordsAreExact() {
        ExpirySample sample = new ExpirySample();
        for (long expiry : new long[] {30, 10, 20, 50, 40}) {
            sample.add(expiry, 7);
        }
        assertThat(sample.medianMillis()).isEqualTo(30);
        assertThat(sample.bytes()).isEqualTo(35);
    }

    @Test
    void manyRecordsInAnyOrderAreCloseAndAFewFarOnesDoNotMatter() {
        List<Long> expiries = LongStream.range(0, 100_000).boxed().collect(Collectors.toList());
        for (int i = 0; i < 1_000; i++) {
            expiries.add(Long.MAX_VALUE);
        }
        ExpirySample ascending = new ExpirySample();
        expiries.forEach(expiry -> ascending.add(expiry, 1));
        assertThat(ascending.medianMillis()).isCloseTo(50_500, offset(1_500L));
        Collections.shuffle(expiries, new Random(5));
        ExpirySample shuffled = new ExpirySample();
        expiries.forEach(expiry -> shuffled.add(expiry, 1));
        assertThat(shuffled.medianMillis()).isCloseTo(50_500, offset(12_000L));
    }
}
