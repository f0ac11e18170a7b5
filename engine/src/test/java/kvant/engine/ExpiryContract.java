package kvant.engine;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.get;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.settle;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Values with an end: from then on the key reads as absent, whatever asks.
interface ExpiryContract extends ContractFixture {

    @Test
    default void anExpiredValueReadsAsAbsentInPointReads() {
        write(engine(), expiring("gone", System.currentTimeMillis() - 1), expiring("ancient", 1));
        assertThat(get(engine(), "gone")).isNull();
        assertThat(get(engine(), "ancient")).isNull();
    }

    @Test
    default void scansPassOverExpiredValues() {
        write(engine(), put("a", "1"), expiring("b", 1), put("c", "1"), expiring("d", 1));
        assertThat(Samples.keys(Samples.scan(engine(), "", null))).containsExactly("a", "c");
    }

    @Test
    default void aScanShowsWhenAValueExpires() {
        long day = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
        write(engine(), expiring("a", day), put("b", "stays"), expiring("c", day + 123_456_789));
        write(engine(), expiring("d", day), expiring("e", day + 1));
        write(engine(), put("d", "stays now"), expiring("e", day + 7));
        List<Long> expected = List.of(day, Mutation.Put.NEVER, day + 123_456_789, Mutation.Put.NEVER, day + 7);
        assertThat(expiries(engine().scan(Range.all()))).isEqualTo(expected);
        reopen(Durability.ALWAYS);
        assertThat(expiries(engine().scan(Range.all()))).isEqualTo(expected);
        assertThat(expiries(engine().scan(Range.all().limit(3)))).isEqualTo(expected.subList(0, 3));
    }

    @Test
    default void conditionsTakeAnExpiredValueForAbsent() {
        long version = write(engine(), expiring("key", 1));
        WriteBatch update = WriteBatch.of(put("key", "x"));
        assertThat(settle(engine(), update.when(new Condition.Present())).outcome())
                .isEqualTo(Write.Outcome.REFUSED);
        assertThat(settle(engine(), update.when(new Condition.VersionIs(version)))
                        .outcome())
                .isEqualTo(Write.Outcome.REFUSED);
        assertThat(settle(engine(), update.when(new Condition.Absent())).outcome())
                .isEqualTo(Write.Outcome.APPLIED);
        assertThat(get(engine(), "key")).isEqualTo("x");
    }

    @Test
    default void aValueWithAFarEndOrNoneStays() {
        long farEnd = System.currentTimeMillis() + Duration.ofDays(365).toMillis();
        write(engine(), expiring("year", farEnd), expiring("ever", Mutation.Put.NEVER));
        write(engine(), expiring("largest", Long.MAX_VALUE));
        assertThat(get(engine(), "year")).isEqualTo("v");
        assertThat(get(engine(), "ever")).isEqualTo("v");
        assertThat(get(engine(), "largest")).isEqualTo("v");
        assertThat(Samples.scan(engine(), "", null)).hasSize(3);
    }

    @Test
    default void aValueExpiresWhenItsTimeComes() {
        long end = System.currentTimeMillis() + 400;
        write(engine(), expiring("key", end), put("stays", "v"));
        String early = get(engine(), "key");
        boolean stillEarly = System.currentTimeMillis() < end;
        if (stillEarly) {
            assertThat(early).isEqualTo("v");
        }
        await().atMost(Duration.ofNanos(Samples.timeoutNanos()))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> Samples.read(engine(), bytes("key")) == Lookup.Miss.ABSENT);
        assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(end);
        assertThat(Samples.keys(Samples.scan(engine(), "", null))).containsExactly("stays");
    }

    @Test
    default void aLaterPutReplacesTheEndOfAnEarlierOne() {
        write(engine(), expiring("revived", 1));
        write(engine(), put("revived", "new"));
        assertThat(get(engine(), "revived")).isEqualTo("new");
        write(engine(), put("shortened", "old"));
        write(engine(), expiring("shortened", 1));
        assertThat(get(engine(), "shortened")).isNull();
    }

    @Test
    default void endsSurviveAReopen() {
        long farEnd = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
        write(engine(), expiring("gone", 1), expiring("day", farEnd));
        reopen(Durability.ALWAYS);
        assertThat(get(engine(), "gone")).isNull();
        assertThat(get(engine(), "day")).isEqualTo("v");
        assertThat(Samples.keys(Samples.scan(engine(), "", null))).containsExactly("day");
    }

    private static List<Long> expiries(Cursor cursor) {
        List<Long> expiries = new ArrayList<>();
        try (cursor) {
            while (cursor.next()) {
                expiries.add(cursor.expiresAtMillis());
            }
        }
        return expiries;
    }

    private static Mutation expiring(String key, long expiresAtMillis) {
        return new Mutation.Put(bytes(key), bytes("v"), expiresAtMillis);
    }
}
