package kvant.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;

class LimitsTest {

    private static final Limits LIMITS = new Limits(4, 8);

    @Test
    void keysAndValuesUpToTheBoundPass() {
        assertThatCode(() -> LIMITS.check(put(1, 0))).doesNotThrowAnyException();
        assertThatCode(() -> LIMITS.check(put(4, 8))).doesNotThrowAnyException();
        assertThatCode(() -> LIMITS.checkKey(new byte[4])).doesNotThrowAnyException();
    }

    @Test
    void whatIsBeyondABoundIsRefusedAndTheBoundIsNamed() {
        refused(() -> LIMITS.check(put(5, 0)), "key of 5 bytes", "4");
        refused(() -> LIMITS.check(put(0, 0)), "key of 0 bytes", "1");
        refused(() -> LIMITS.check(put(1, 9)), "value of 9 bytes", "8");
        refused(() -> LIMITS.check(WriteBatch.of(new Mutation.Delete(new byte[5]))), "key of 5 bytes");
        refused(() -> LIMITS.checkKey(new byte[0]), "key of 0 bytes");
    }

    @Test
    void everyMutationOfABatchIsChecked() {
        Mutation fine = new Mutation.Put(new byte[1], new byte[1]);
        Mutation tooLong = new Mutation.Put(new byte[1], new byte[9]);
        refused(() -> LIMITS.check(WriteBatch.of(List.of(fine, fine, tooLong))), "value of 9 bytes");
    }

    @Test
    void theDefaultsAreThoseOfTheContract() {
        assertThat(Limits.DEFAULT).isEqualTo(new Limits(65_536, 67_108_864));
    }

    private static WriteBatch put(int keyBytes, int valueBytes) {
        return WriteBatch.of(new Mutation.Put(new byte[keyBytes], new byte[valueBytes]));
    }

    private static void refused(ThrowableAssert.ThrowingCallable call, String... words) {
        assertThatIllegalArgumentException()
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.getMessage()).contains(words));
    }
}
