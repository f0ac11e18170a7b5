package kvant.lsm;

import static kvant.engine.Samples.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.LongPredicate;
import java.util.random.RandomGenerator;
import kvant.engine.Cursor;
import kvant.engine.Durability;
import kvant.engine.Range;
import kvant.engine.Samples;
import kvant.lsm.RandomOptionsContract.Opening;
import kvant.lsm.RandomWrites.Burst;
import kvant.lsm.operate.Findings;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.Storage;
import org.jspecify.annotations.Nullable;

/// One random history of a store whose options change each time that it is opened, and its comparison with a
/// [VersionedModel]. Belongs to one thread; only its story may be heard by another.
///
/// The operations are drawn from the seed alone. When memtables are flushed, tables merged and groups formed is up to
/// the engine's threads, as is the result of a crash: a seed repeats its operations, but maybe not their effects.
final class RandomOptionsRun implements AutoCloseable {

    private static final int HELD_CURSORS = 6;
    private static final int REMEMBERED_STEPS = 30;
    private static final byte[] START = {};

    /// A cursor that is kept open.
    ///
    /// @param from where the next read continues
    private record Held(Cursor cursor, long moment, byte[] from, byte @Nullable [] to) {}

    // Constant.
    private final StoreHome home;
    private final Random random;
    private final AtomicLong clockMillis = new AtomicLong(1_000_000_000_000L);
    private final InstantSource clock = () -> Instant.ofEpochMilli(clockMillis.get());
    private final VersionedModel model = new VersionedModel();
    private final RandomWrites writes;
    private final List<Held> held = new ArrayList<>();
    private final Deque<String> steps = new ArrayDeque<>();
    private final BiFunction<LsmOptions, RandomGenerator, Opening> ways;
    private final List<String> openings = new ArrayList<>();

    private Opening opened;
    private LsmEngine engine;
    private int checkpoints;

    /// The moment up to which a power cut may take nothing back.
    private long durable;

    /// @param openings what a store is opened with, of the options that were drawn for it
    RandomOptionsRun(StoreHome home, long seed, BiFunction<LsmOptions, RandomGenerator, Opening> openings) {
        this.home = home;
        this.ways = openings;
        this.random = new Random(seed);
        this.writes = new RandomWrites(random, model, clockMillis::get);
        this.opened = draw();
        this.engine = home.open(opened.options(), opened.parts());
    }

    /// The progress so far and the options, for the message of a failure.
    synchronized String story() {
        return "opened with:\n  " + String.join("\n  ", openings) + "\nlast steps: " + String.join("; ", steps);
    }

    void perform(int count) throws IOException {
        for (int step = 0; step < count; step++) {
            act(random.nextInt(1_000));
        }
        reopen();
    }

    private void act(int dice) throws IOException {
        if (dice < 400) {
            writeSome();
        } else if (dice < 560) {
            look();
        } else if (dice < 620) {
            lookAtMany();
        } else if (dice < 730) {
            scanSome();
        } else if (dice < 790) {
            lookWhileWriting();
        } else if (dice < 840) {
            hold();
        } else if (dice < 900) {
            readHeld();
        } else if (dice < 940) {
            passTime();
        } else {
            maintain(dice - 940);
        }
    }

    private void maintain(int dice) throws IOException {
        if (dice < 20) {
            step("seal");
            engine.store().requestSeal(true);
        } else if (dice < 30) {
            step("rest");
            engine.awaitRest();
        } else if (dice < 40) {
            compact();
        } else if (dice < 48 && home instanceof StoreHome.Directory directory) {
            checkpoint(directory);
        } else if (dice < 52 || !(home instanceof StoreHome.Simulated simulated)) {
            reopen();
        } else {
            crash(simulated);
        }
    }

    @Override
    public void close() {
        held.forEach(each -> each.cursor().close());
        engine.close();
    }

    // Writes and reads.

    private void writeSome() {
        await(submit());
    }

    private Burst submit() {
        Burst burst = writes.submit(engine);
        step("write " + burst + " up to " + model.now());
        return burst;
    }

    private void await(Burst burst) {
        burst.await();
        if (opened.options().durability() instanceof Durability.Always) {
            durable = model.now();
        }
    }

    private void look() {
        byte[] key = writes.key();
        step("get " + text(key));
        assertThat(Shown.of(Samples.lookup(engine, key)))
                .isEqualTo(Shown.of(model.find(key, model.now(), clock.millis())));
    }

    private void lookAtMany() {
        byte[][] keys = writes.keys(random.nextInt(12));
        step("get " + keys.length + " keys");
        assertThat(got(engine, keys)).isEqualTo(expected(keys, model.now()));
    }

    private static List<String> got(LsmEngine engine, byte[][] keys) {
        return Arrays.stream(keys)
                .map(key -> Shown.of(Samples.lookup(engine, key)))
                .toList();
    }

    private List<String> expected(byte[][] keys, long moment) {
        return Arrays.stream(keys)
                .map(key -> Shown.of(model.find(key, moment, clock.millis())))
                .toList();
    }

    private void scanSome() {
        if (random.nextBoolean()) {
            scanPrefix(writes.key(), random.nextInt(12));
            return;
        }
        byte[] from = random.nextInt(4) == 0 ? START : writes.key();
        byte[] to = random.nextInt(4) == 0 ? null : writes.key();
        step("scan from " + text(from) + " to " + (to == null ? "the end" : text(to)));
        assertThat(scan(Range.of(from, to))).isEqualTo(expected(from, to, model.now()));
    }

    private void scanPrefix(byte[] key, int limit) {
        String prefix = text(key).substring(0, random.nextInt(key.length + 1));
        step("scan prefix " + prefix + " limit " + limit);
        Range range = Range.prefix(Samples.bytes(prefix));
        List<Samples.Entry> expected = expected(START, null, model.now()).stream()
                .filter(entry -> entry.key().startsWith(prefix))
                .limit(limit == 0 ? Long.MAX_VALUE : limit)
                .toList();
        assertThat(scan(limit == 0 ? range : range.limit(limit))).isEqualTo(expected);
    }

    private List<Samples.Entry> scan(Range range) {
        try (Cursor cursor = engine.scan(range)) {
            return Samples.rest(cursor);
        }
    }

    private List<Samples.Entry> expected(byte[] from, byte @Nullable [] to, long moment) {
        return model.range(from, to, moment, clock.millis());
    }

    /// Reads during a burst see one moment of it, and later reads no earlier one.
    private void lookWhileWriting() {
        long before = model.now();
        byte[] from = writes.key();
        Burst burst = submit();
        List<Samples.Entry> some = scan(Range.of(from, null));
        List<Samples.Entry> all = scan(Range.all());
        await(burst);
        long seen = momentOf(before, moment -> some.equals(expected(from, null, moment)));
        momentOf(seen, moment -> all.equals(expected(START, null, moment)));
    }

    private long momentOf(long first, LongPredicate matches) {
        for (long moment : model.moments(first, model.now())) {
            if (matches.test(moment)) {
                return moment;
            }
        }
        throw new AssertionError("not what any moment from " + first + " to " + model.now() + " shows");
    }

    // Snapshots.

    private void hold() {
        if (held.size() == HELD_CURSORS) {
            readHeld();
        }
        if (held.size() < HELD_CURSORS) {
            byte[] from = random.nextBoolean() ? START : writes.key();
            byte[] to = random.nextBoolean() ? null : writes.key();
            step("hold " + model.now());
            held.add(new Held(engine.scan(from, to), model.now(), from, to));
        }
    }

    private void readHeld() {
        if (!held.isEmpty()) {
            Held one = held.remove(random.nextInt(held.size()));
            read(one, random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(5));
        }
    }

    /// Reads on, and keeps it where that was not the end.
    private void read(Held one, int records) {
        step("read the snapshot of " + one.moment());
        List<Samples.Entry> expected = expected(one.from(), one.to(), one.moment());
        List<Samples.Entry> got = new ArrayList<>();
        Cursor cursor = one.cursor();
        while (got.size() < records && cursor.next()) {
            got.add(new Samples.Entry(text(cursor.key()), text(cursor.value()), cursor.version()));
        }
        assertThat(got)
                .as("snapshot of %d at %d", one.moment(), model.now())
                .isEqualTo(expected.subList(0, Math.min(records, expected.size())));
        if (got.size() < records) {
            cursor.close();
        } else {
            byte[] next = got.isEmpty()
                    ? one.from()
                    : Samples.bytes(got.getLast().key() + (char) 0); // the least key behind it
            held.add(new Held(cursor, one.moment(), next, one.to()));
        }
    }

    private void readAllHeld() {
        List.copyOf(held).forEach(one -> read(one, Integer.MAX_VALUE));
        held.clear();
    }

    private void passTime() {
        clockMillis.addAndGet(1 + random.nextInt(400));
        step("clock " + clockMillis);
    }

    // Maintenance.

    private void compact() {
        step("compact");
        home.maintenance(engine, opened.options()).compact(_ -> {});
        durable = model.now();
    }

    /// A copy is opened like any store, while the original is being written.
    private void checkpoint(StoreHome.Directory directory) throws IOException {
        long before = model.now();
        var target = directory.folder().resolve("copy-" + ++checkpoints);
        Burst burst = submit();
        step("checkpoint");
        home.maintenance(engine, opened.options()).checkpoint(target, _ -> {});
        await(burst);
        assertSound(StoreHome.Directory.filesOf(target));
        Opening other = draw();
        try (LsmEngine copy = LsmEngine.open(target, other.options(), other.parts());
                Cursor cursor = copy.scan(Range.all())) {
            // Its sequence may be above what it holds, where a memtable was sealed at that moment.
            List<Samples.Entry> all = Samples.rest(cursor);
            List<String> many = got(copy, model.keys());
            momentOf(
                    before,
                    moment -> all.equals(expected(START, null, moment)) && many.equals(expected(model.keys(), moment)));
        }
        assertSound(StoreHome.Directory.filesOf(target));
    }

    // Restarts.

    /// Some cursors are read to their end before, the others outlive their engine.
    private void reopen() throws IOException {
        step("reopen");
        if (random.nextBoolean()) {
            readAllHeld();
        }
        closeEngine();
        open(model.now());
    }

    /// While a burst is being written, the machine or the process stops.
    private void crash(StoreHome.Simulated simulated) throws IOException {
        boolean power = random.nextBoolean();
        SplittableRandom luck = new SplittableRandom(random.nextLong());
        long before = model.now();
        Burst burst = submit();
        long acknowledged = Math.max(before, burst.acknowledged());
        SimStorage image = simulated.cut(power, luck);
        step((power ? "power cut" : "kill") + " at " + acknowledged + " of " + model.now());
        boolean kept = !power || opened.options().durability() instanceof Durability.Always;
        long atLeast = kept ? acknowledged : durable;
        burst.await();
        readAllHeld();
        closeEngine();
        simulated.replaceBy(image);
        assertSound(image);
        open(atLeast);
    }

    private void closeEngine() throws IOException {
        engine.close();
        held.forEach(each -> each.cursor().close());
        held.clear();
        if (home instanceof StoreHome.Simulated simulated) {
            simulated.assertLeftInOrder();
        }
        assertSound(home.files());
    }

    private void open(long atLeast) {
        opened = draw();
        engine = home.open(opened.options(), opened.parts());
        durable = engine.store().readers().visibleSequence();
        assertThat(model.moments(atLeast, model.now())).as("ends of batches").contains(durable);
        assertThat(scan(Range.all())).isEqualTo(expected(START, null, durable));
        assertThat(got(engine, model.keys())).isEqualTo(expected(model.keys(), durable));
        model.forgetAfter(durable);
    }

    private Opening draw() {
        Opening drawn = ways.apply(OptionsDraw.draw(random, clock), random);
        String parts = drawn.parts() == LsmParts.OWN ? "" : ", with " + drawn.parts();
        opening(OptionsDraw.show(drawn.options()) + parts);
        return drawn;
    }

    private static void assertSound(Storage files) throws IOException {
        assertThat(new Findings(files).problems).isEmpty();
    }

    private synchronized void opening(String what) {
        openings.add(what);
    }

    private synchronized void step(String what) {
        steps.addLast(Shown.printable(what));
        if (steps.size() > REMEMBERED_STEPS) {
            steps.removeFirst();
        }
    }
}
