package kvant.engine;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.get;
import static kvant.engine.Samples.lookup;
import static kvant.engine.Samples.noise;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Point reads: what was put is found, byte for byte, and nothing else is.
interface ReadContract extends ContractFixture {

    @Test
    default void findsWhatWasPut() {
        write(engine(), put("key", "value"));
        assertThat(get(engine(), "key")).isEqualTo("value");
    }

    @Test
    default void answersAbsentForAKeyThatWasNeverPut() {
        assertThat(get(engine(), "nothing")).isNull();
        write(engine(), put("b", "1"), put("d", "2"));
        assertThat(get(engine(), "a")).isNull();
        assertThat(get(engine(), "c")).isNull();
        assertThat(get(engine(), "e")).isNull();
    }

    @Test
    default void keepsAnEmptyValueApartFromAbsence() {
        write(engine(), put("empty", ""));
        assertThat(get(engine(), "empty")).isEmpty();
        assertThat(Samples.scan(engine(), "", null)).hasSize(1);
        reopen(Durability.ALWAYS);
        assertThat(get(engine(), "empty")).isEmpty();
    }

    @Test
    default void takesAnyByteInAKeyAndInAValue() {
        List<Mutation> puts = new ArrayList<>();
        for (int b = 0; b < 256; b++) {
            byte[] key = {(byte) b};
            puts.add(new Mutation.Put(key, new byte[] {(byte) (255 - b), (byte) b}));
        }
        write(engine(), WriteBatch.of(puts));
        for (int b = 0; b < 256; b++) {
            Lookup found = lookup(engine(), new byte[] {(byte) b});
            assertThat(Samples.valueOf(found)).isEqualTo(Samples.text(new byte[] {(byte) (255 - b), (byte) b}));
        }
    }

    @Test
    default void tellsKeysApartThatAreEachOthersPrefixes() {
        List<String> keys = List.of("\0", "\0\0", "a", "a\0", "a\0\0", "ab", "\u00ff", "\u00ff\u00ff");
        for (String key : keys) {
            write(engine(), put(key, "of " + key));
        }
        for (String key : keys) {
            assertThat(get(engine(), key)).isEqualTo("of " + key);
        }
        assertThat(get(engine(), "\0\0\0")).isNull();
        assertThat(get(engine(), "a\u00ff")).isNull();
    }

    @Test
    default void storesTheLongestKey() {
        byte[] longest = new byte[longestKeyBytes()];
        Arrays.fill(longest, (byte) 0xAB);
        byte[] sibling = longest.clone();
        sibling[sibling.length - 1]++;
        write(engine(), new Mutation.Put(longest, bytes("one")));
        write(engine(), new Mutation.Put(sibling, bytes("two")));

        assertThat(Samples.valueOf(lookup(engine(), longest))).isEqualTo("one");
        reopen(Durability.ALWAYS);
        assertThat(Samples.valueOf(lookup(engine(), longest))).isEqualTo("one");
        assertThat(Samples.valueOf(lookup(engine(), sibling))).isEqualTo("two");
        sibling[sibling.length - 1]++;
        assertThat(lookup(engine(), sibling)).isEqualTo(Lookup.Miss.ABSENT);
    }

    @Test
    default void storesAValueOfSeveralMegabytes() {
        byte[] large = noise(5 << 20, 1);
        write(engine(), new Mutation.Put(bytes("large"), large), put("small", "s"));

        assertThat(large).isEqualTo(((Lookup.Found) lookup(engine(), bytes("large"))).value());
        reopen(Durability.ALWAYS);
        assertThat(large).isEqualTo(((Lookup.Found) lookup(engine(), bytes("large"))).value());
        assertThat(get(engine(), "small")).isEqualTo("s");
        try (Cursor cursor = engine().scan(bytes("large"), null)) {
            assertThat(cursor.next()).isTrue();
            assertThat(large).isEqualTo(cursor.value());
        }
    }
}
