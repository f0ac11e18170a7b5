package kvant.prove.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// The few keys of a history: single ones, and groups of three that batches, ranges and transactions take together.
final class Keys {

    private static final int SINGLES = 4;
    private static final int GROUP = 3;

    /// By the numbers of the keys.
    private static final List<String> NAMES =
            List.of("single0 single1 single2 single3 group4-0 group4-1 group4-2 group7-0 group7-1 group7-2".split(" "));

    static final int COUNT = NAMES.size();

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
        return NAMES.get(key);
    }

    static String prefix(int group) {
        return "group" + group + "-";
    }

    /// @return -1 where no key has this name
    static int number(String name) {
        return NAMES.indexOf(name);
    }
}
