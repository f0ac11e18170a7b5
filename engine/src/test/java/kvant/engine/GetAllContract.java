package kvant.engine;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.delete;
import static kvant.engine.Samples.noise;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.valueOf;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Reads of many keys in one call: what [Engine#get] says of each, in the order of the keys, as of one moment.
interface GetAllContract extends ContractFixture {

    @Test
    default void noKeysHaveNoAnswers() {
        assertThat(engine().getAll(new byte[0][])).isEmpty();
        write(engine(), put("a", "1"));
        assertThat(engine().getAll(new byte[0][])).isEmpty();
    }

    @Test
    default void manyAnswersComeInTheOrderOfTheirKeys() {
        write(engine(), put("a", "1"), put("b", "2"), put("c", ""), put("\u00ff", "4"), put("\u007f", "5"));
        write(engine(), delete("b"));
        assertThat(getAll("c", "\u00ff", "a", "absent", "b", "\u007f", "zz"))
                .containsExactly("", "4", "1", null, null, "5", null);
        reopen(Durability.ALWAYS);
        assertThat(getAll("\u00ff", "a", "b")).containsExactly("4", "1", null);
    }

    @Test
    default void aKeyMayBeLookedUpTwiceInOneCall() {
        write(engine(), put("a", "1"), put("b", "2"));
        assertThat(getAll("b", "a", "b", "b", "x", "a", "x")).containsExactly("2", "1", "2", "2", null, "1", null);
    }

    @Test
    default void manyKeysAreAnsweredAsEachOfThemIs() {
        Random random = new Random(5);
        for (int round = 0; round < 40; round++) {
            List<Mutation> mutations = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                byte[] key = bytes(name(random.nextInt(1_000)));
                mutations.add(
                        random.nextInt(4) == 0
                                ? new Mutation.Delete(key)
                                : new Mutation.Put(key, noise(random.nextInt(3_000), i)));
            }
            write(engine(), WriteBatch.of(mutations));
        }
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            names.add(name(i));
        }
        Collections.shuffle(names, random);
        byte[][] keys = names.stream().map(Samples::bytes).toArray(byte[][]::new);
        byte[][] untouched = keys.clone();
        Lookup[] answers = engine().getAll(keys);
        assertThat(keys).as("the caller's array").isEqualTo(untouched);
        for (int i = 0; i < keys.length; i++) {
            assertThat(shown(answers[i])).as(names.get(i)).isEqualTo(shown(engine().get(keys[i])));
        }
    }

    @Test
    default void expiredValuesReadAsAbsentAmongManyKeys() {
        write(
                engine(),
                new Mutation.Put(bytes("past"), bytes("x"), 1),
                new Mutation.Put(bytes("future"), bytes("y"), Long.MAX_VALUE - 1),
                put("stays", "z"));
        assertThat(getAll("stays", "past", "future")).containsExactly("z", null, "y");
    }

    @Test
    default void aCompletedWriteIsAmongManyKeys() {
        for (int i = 0; i < 100; i++) {
            write(engine(), put("a", "" + i), put("b", "" + -i));
            assertThat(getAll("b", "a")).containsExactly("" + -i, "" + i);
        }
    }

    @Test
    default void aClosedEngineRefusesToLookManyKeysUp() {
        Engine engine = engine();
        write(engine, put("a", "1"));
        engine.close();
        assertThatThrownBy(() -> engine.getAll(new byte[][] {bytes("a")})).isInstanceOf(EngineException.Closed.class);
    }

    /// Two keys far apart that always come, change and go together, noise between them, and readers who never
    /// see them differ.
    @Test
    default void manyKeysAreLookedUpAsOfOneMoment() {
        Engine engine = engine();
        write(engine, put("a", "0"), put("z", "0"));
        byte[][] keys = {bytes("z"), bytes("a"), bytes("m"), bytes("a"), bytes("z")};
        AtomicBoolean writing = new AtomicBoolean(true);
        Crew.runAll(4, number -> {
            if (number == 0) {
                for (int i = 1; i <= 1_000; i++) {
                    if (i % 3 == 0) {
                        write(engine, delete("a"), delete("z"));
                    } else {
                        Mutation between = new Mutation.Put(bytes("m"), noise(1_000, i));
                        write(engine, put("a", "" + i), between, put("z", "" + i));
                    }
                }
                writing.set(false);
                return;
            }
            int floor = 0;
            while (writing.get()) {
                Lookup[] seen = engine.getAll(keys);
                String value = valueOf(seen[0]);
                assertThat(new String[] {valueOf(seen[1]), valueOf(seen[3]), valueOf(seen[4])})
                        .as("one moment")
                        .containsOnly(value);
                if (value != null) {
                    assertThat(Integer.parseInt(value))
                            .as("moments of one thread")
                            .isGreaterThanOrEqualTo(floor);
                    floor = Integer.parseInt(value);
                }
            }
        });
    }

    private List<@Nullable String> getAll(String... keys) {
        List<@Nullable String> values = new ArrayList<>();
        for (Lookup answer :
                engine().getAll(Arrays.stream(keys).map(Samples::bytes).toArray(byte[][]::new))) {
            values.add(valueOf(answer));
        }
        return values;
    }

    private static String shown(Lookup lookup) {
        return lookup instanceof Lookup.Found found
                ? "version " + found.version() + ", hash " + Arrays.hashCode(found.value())
                : lookup.toString();
    }

    private static String name(int i) {
        return String.format("key%04d", i);
    }
}
