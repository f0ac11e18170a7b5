package kvant.prove.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// The few keys of a history: single ones, and groups of three that batches, ranges and transactions take together.
final class Keys {

    static final int COUNT = 10;

    private static final int SINGLES = 4;
    private static final int GROUP = 3;

    private Keys() {}

    /// @return the first key of a group
    static int group(Random random) {
        return SINGLES + GROUP * random.nextInt((COUNT - SINGLES) / GROUP);
    }

    static List<Integer> of(int group) {
        return List.of(group, group + 1, group + 2);
    }

    /// Two or three keys of a group, in any order.
    static List<Integer> some(Random random) {
        List<Integer> keys = new ArrayList<>(of(group(random)));
        Collections.shuffle(keys, random);
        return keys.subList(0, 2 + random.nextInt(GROUP - 1));
    }

    static String name(int key) {
        return key < SINGLES ? "single" + key : prefix(key - (key - SINGLES) % GROUP) + (key - SINGLES) % GROUP;
    }

    static String prefix(int group) {
        return "group" + group + "-";
    }

    static int number(String name) {
        return IntStream.range(0, COUNT)
                .filter(key -> name(key).equals(name))
                .findFirst()
                .orElse(COUNT);
    }
}
