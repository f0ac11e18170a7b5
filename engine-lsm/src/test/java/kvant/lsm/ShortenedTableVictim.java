package kvant.lsm;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import kvant.engine.EngineException;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Universal;

/// A process that has one of its tables cut under it. It is one of its own because what it must not do is die.
final class ShortenedTableVictim {

    private static final int KEYS = 400;
    private static final byte[] VALUE = new byte[400];

    private ShortenedTableVictim() {}

    /// @param arguments an empty directory, how often every key is read before the cut, and the size to cut to
    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        int rounds = Integer.parseInt(arguments[1]);
        long size = Long.parseLong(arguments[2]);
        LsmOptions options = LsmOptions.defaults().with(o -> {
            o.compaction = CompactionOptions.of(new Universal(1_000, 1_000));
            o.replayThreads = 1; // the first table is the one with the even keys
        });
        fill(directory, options, "even");
        fill(directory, options.with(o -> o.memtableBytes = 1 << 30), "odd");
        // A memtable that is full at once: everything goes into tables while opening.
        try (LocalEngine engine = LsmEngine.open(directory, options.with(o -> o.memtableBytes = 1))) {
            for (int round = 0; round < rounds; round++) {
                read(engine, "even");
                read(engine, "odd");
            }
            try (FileChannel table = FileChannel.open(tables(directory).getFirst(), StandardOpenOption.WRITE)) {
                table.truncate(size);
            }
            System.out.println("even " + read(engine, "even"));
            System.out.println("odd " + read(engine, "odd"));
            System.out.println("scan " + scan(engine));
        }
        System.out.println("alive");
    }

    private static void fill(Path directory, LsmOptions options, String prefix) {
        try (LocalEngine engine = LsmEngine.open(directory, options)) {
            Mutation[] mutations = new Mutation[KEYS];
            for (int i = 0; i < KEYS; i++) {
                mutations[i] = new Mutation.Put(key(prefix, i), VALUE);
            }
            Samples.write(engine, mutations);
        }
    }

    private static String read(LocalEngine engine, String prefix) {
        int right = 0;
        int wrong = 0;
        int refused = 0;
        int other = 0;
        for (int i = 0; i < KEYS; i++) {
            try {
                boolean found =
                        engine.get(key(prefix, i)) instanceof Lookup.Found value && Arrays.equals(value.value(), VALUE);
                right += found ? 1 : 0;
                wrong += found ? 0 : 1;
            } catch (EngineException.Corruption _) {
                refused++;
            } catch (Throwable _) {
                other++;
            }
        }
        return "right=" + right + " wrong=" + wrong + " refused=" + refused + " other=" + other;
    }

    private static String scan(LocalEngine engine) {
        try {
            return "right=" + SampleStores.scan(engine).size();
        } catch (EngineException.Corruption e) {
            return "refused";
        }
    }

    private static byte[] key(String prefix, int number) {
        return Samples.bytes(prefix + "%05d".formatted(number));
    }

    private static List<Path> tables(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("lsm"))) {
            return files.filter(file -> file.toString().endsWith(".table"))
                    .sorted()
                    .toList();
        }
    }
}
