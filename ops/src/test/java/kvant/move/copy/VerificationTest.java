package kvant.move.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Differences that the comparison finds, and records that it leaves out.
@Timeout(60)
class VerificationTest {

    private static final int RANGE = 10;

    private final FakeTime time = new FakeTime();
    private final MemoryEndpoint source = new MemoryEndpoint();
    private final MemoryEndpoint target = new MemoryEndpoint();

    @Test
    void equalStoresAreTheSame() {
        fill(95);
        target.map.putAll(source.map);
        Verification.Result result = verify();
        assertThat(result.isSame(false)).isTrue();
        assertThat(result.records()).isEqualTo(95);
        assertThat(result.ranges()).isEqualTo(10);
        assertThat(result.shown()).isEmpty();
        assertThat(result.complete()).isTrue();
    }

    @Test
    void emptyStoresAreTheSame() {
        Verification.Result result = verify();
        assertThat(result.isSame(false)).isTrue();
        assertThat(result.ranges()).isZero();
    }

    @Test
    void aMissingRecordIsFound() {
        fill(95);
        target.map.putAll(source.map);
        target.map.remove(bytes("k042"));
        Verification.Result result = verify();
        assertThat(result.isSame(false)).isFalse();
        assertThat(result.isSame(true)).isFalse();
        assertThat(result.missing()).isEqualTo(1);
        RangeCheck difference = only(result);
        assertThat(difference.number).isEqualTo(5);
        assertThat(difference.toString())
                .startsWith("range 5 ('k040' to 'k049'): source 10 records, checksum ")
                .contains("target 9 records, checksum ")
                .endsWith("1 missing, 0 extra, 0 different; the first is 'k042': missing");
    }

    @Test
    void anExtraRecordIsFoundAlsoAtTheEnd() {
        fill(20);
        target.map.putAll(source.map);
        target.put("z", "v");
        Verification.Result result = verify();
        assertThat(result.isSame(false)).isFalse();
        assertThat(result.isSame(true)).as("the target may hold more").isTrue();
        assertThat(only(result).what).isEqualTo("extra");
        assertThat(only(result).key).isEqualTo(bytes("z"));
        assertThat(result.extra()).isEqualTo(1);
    }

    @Test
    void aDifferentValueIsFound() {
        fill(20);
        target.map.putAll(source.map);
        target.put("k007", "other");
        Verification.Result result = verify();
        assertThat(result.isSame(true)).isFalse();
        assertThat(only(result).what).isEqualTo("different value");
        assertThat(result.different()).isEqualTo(1);
    }

    @Test
    void aDifferentEndIsFound() {
        source.put("k", "v", time.millis + 5000);
        target.put("k", "v", time.millis + 5001);
        assertThat(only(verify()).what).isEqualTo("different life time");
        target.put("k", "v");
        assertThat(only(verify()).what).isEqualTo("different life time");
        target.put("k", "v", time.millis + 5000);
        assertThat(verify().isSame(false)).isTrue();
    }

    @Test
    void aTargetWithAClockOfItsOwnIsAskedOnlyWhetherThereIsAnEnd() {
        target.remote = true;
        source.put("k", "v", time.millis + 500_000);
        target.put("k", "v", time.millis + 500_999);
        assertThat(verify().isSame(false)).isTrue();
        target.put("k", "v");
        assertThat(only(verify()).what).isEqualTo("different life time");
    }

    @Test
    void whatExpiresMeanwhileIsLeftOut() {
        fill(20);
        target.map.putAll(source.map);
        source.put("k005x", "gone", time.millis);
        target.put("k006x", "gone", time.millis - 1);
        source.put("k007x", "gone", time.millis - 1);
        target.put("k007x", "gone too", time.millis - 1);
        Verification.Result result = verify();
        assertThat(result.isSame(false)).isTrue();
        assertThat(result.records()).isEqualTo(20);
        source.put("k005x", "there", time.millis + 1);
        assertThat(verify().missing()).isEqualTo(1);
        target.remote = true;
        assertThat(verify().missing()).as("clocks differ").isZero();
        source.put("k005x", "there", time.millis + Verification.DOUBT_MILLIS + 1);
        assertThat(verify().missing()).isEqualTo(1);
    }

    @Test
    void aScanThatIsBrokenOffGoesOn() {
        for (int i = 0; i < 95; i++) {
            source.put("k" + i, "v"); // none that expires while it waits
        }
        target.map.putAll(source.map);
        source.breaksScansAfter = 6;
        target.breaksScansAfter = 9;
        assertThat(verify().isSame(false)).isTrue();
        assertThat(verify().records()).isEqualTo(95);
    }

    @Test
    void onlySomeDifferencesAreShownAndAllAreCounted() {
        fill(1000);
        Verification.Result result = verify();
        assertThat(result.shown()).hasSize(Verification.MOST_SHOWN);
        assertThat(result.differing()).isEqualTo(100);
        assertThat(result.missing()).isEqualTo(1000);
        Verification.Result backwards =
                new Verification(target, source, CopyOptions.DEFAULT, new Silence(), time, RANGE).run();
        assertThat(backwards.extra()).isEqualTo(1000);
        assertThat(backwards.ranges()).as("bounded on the side that has them").isEqualTo(100);
    }

    @Test
    void oneChangeAnywhereIsFoundWhereItIs() {
        fill(60);
        List<byte[]> keys = new ArrayList<>(source.map.keySet());
        Random random = new Random(11);
        for (byte[] key : keys) {
            target.map.clear();
            target.map.putAll(source.map);
            MemoryEndpoint.Stored stored = target.map.get(key);
            switch (random.nextInt(3)) {
                case 0 -> target.map.remove(key);
                case 1 -> target.map.put(key, new MemoryEndpoint.Stored(new byte[stored.value().length], 0));
                default -> target.map.put(key, new MemoryEndpoint.Stored(stored.value(), time.millis + 99_999));
            }
            Verification.Result result = verify();
            assertThat(result.isSame(false)).isFalse();
            assertThat(only(result).key).isEqualTo(key);
        }
    }

    @Test
    void aRangeAlsoEndsAfterSoManyBytes() {
        byte[] large = new byte[20 << 20];
        for (int i = 0; i < 10; i++) {
            MemoryEndpoint.Stored stored = new MemoryEndpoint.Stored(large, 0);
            source.map.put(bytes("k" + i), stored);
            target.map.put(bytes("k" + i), stored);
        }
        Verification.Result result = new Verification(
                        source, target, CopyOptions.DEFAULT, new Silence(), time, Verification.RANGE_RECORDS)
                .run();
        assertThat(result.ranges()).isEqualTo(3); // of four of them, 64 MiB and more
    }

    @Test
    void theChecksumIsOfTheContents() {
        fill(30);
        target.map.putAll(source.map);
        int checksum = verify().checksum();
        target.put("k003", "changed");
        source.put("k003", "changed");
        assertThat(verify().isSame(false)).isTrue();
        assertThat(verify().checksum()).isNotEqualTo(checksum);
    }

    /// A key and a value that share their bytes out otherwise are another record.
    @Test
    void lengthsAreInTheChecksum() {
        RangeCheck.Sum one = new RangeCheck.Sum();
        one.add(bytes("ab"), bytes("c"), 0);
        RangeCheck.Sum other = new RangeCheck.Sum();
        other.add(bytes("a"), bytes("bc"), 0);
        assertThat(one.isSame(other)).isFalse();
    }

    @Test
    void theRateBoundsWhatIsRead() {
        fill(1000);
        target.map.putAll(source.map);
        Verification.Result result = new Verification(
                        source,
                        target,
                        CopyOptions.DEFAULT.withRate(1000),
                        new Silence(),
                        time,
                        Verification.RANGE_RECORDS)
                .run();
        assertThat(result.isSame(false)).isTrue();
        assertThat(time.nanos / 1e9).isGreaterThan(30);
    }

    @Test
    void aStopIsNotTakenForTheEnd() {
        fill(100);
        target.map.putAll(source.map);
        int[] asked = {0};
        Verification.Result result = new Verification(
                        source,
                        target,
                        CopyOptions.DEFAULT,
                        new Silence(),
                        time.stoppedBy(() -> ++asked[0] > 100),
                        Verification.RANGE_RECORDS)
                .run();
        assertThat(result.complete()).isFalse();
    }

    @Test
    void keysAreShownAsTheyCanBeRead() {
        assertThat(RangeCheck.text(bytes("abc"))).isEqualTo("'abc'");
        assertThat(RangeCheck.text(bytes("a b\n"))).isEqualTo("0x6120620a");
        assertThat(RangeCheck.text(new byte[50])).isEqualTo("0x" + "00".repeat(40) + "...");
        assertThat(RangeCheck.text(bytes("x".repeat(50)))).isEqualTo("'" + "x".repeat(40) + "...'");
    }

    private void fill(int records) {
        for (int i = 0; i < records; i++) {
            source.put("k%03d".formatted(i), "value " + i, i % 4 == 0 ? time.millis + 1000 + i : 0);
        }
    }

    private static RangeCheck only(Verification.Result result) {
        assertThat(result.differing()).isEqualTo(1);
        assertThat(result.shown()).hasSize(1);
        return result.shown().getFirst();
    }

    private Verification.Result verify() {
        return new Verification(source, target, CopyOptions.DEFAULT, new Silence(), time, RANGE).run();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
