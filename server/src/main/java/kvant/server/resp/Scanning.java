package kvant.server.resp;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import kvant.server.request.Outcome;
import kvant.server.request.RecordBatch;
import kvant.server.request.Request;
import kvant.server.resp.parse.Glob;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// `SCAN`: one round over the keys from a cursor on, in their order. A key that exists during the whole iteration is
/// shown once. `COUNT` bounds the keys read; a round also ends when its records reach the memory bound of a round.
final class Scanning {

    private static final long MOST_COUNT = 1000;
    private static final String NO_CURSOR = "ERR invalid cursor";
    private static final byte[] START = {};

    // Constant.
    private final Commands commands;
    private final long cursor;
    private long count = 10;
    private @Nullable Glob glob;
    private boolean ofStrings = true;

    private Scanning(Commands commands, List<byte[]> words) throws WrongCommandException {
        this.commands = commands;
        this.cursor = Errors.integer(words.get(1), NO_CURSOR);
        if (cursor < 0) {
            throw new WrongCommandException(NO_CURSOR);
        }
        for (int i = 2; i < words.size(); i += 2) {
            byte[] value = i + 1 < words.size() ? words.get(i + 1) : START;
            switch (i + 1 < words.size() ? Words.option(words.get(i)) : "") {
                case "count" -> count = Errors.integer(value);
                case "match" -> glob = glob(value);
                case "type" -> ofStrings = Words.is(value, "string");
                default -> throw new WrongCommandException(Errors.SYNTAX);
            }
        }
        if (count < 1) {
            throw new WrongCommandException(Errors.SYNTAX);
        }
        count = Math.min(count, MOST_COUNT);
    }

    static Glob glob(byte[] pattern) throws WrongCommandException {
        Glob glob = new Glob(pattern);
        if (glob.isTooLong()) {
            throw new WrongCommandException(
                    "ERR pattern of more than " + Glob.MAX_BYTES + " bytes after the fixed prefix of the pattern");
        }
        return glob;
    }

    static Action of(Commands commands, List<byte[]> words) throws WrongCommandException {
        Scanning scanning = new Scanning(commands, words);
        byte[] prefix = scanning.glob == null ? START : scanning.glob.prefix();
        byte[] from = scanning.cursor == 0 ? START : commands.cursors().position(scanning.cursor);
        if (prefix.length > commands.maxKeyBytes()) {
            return new ReplyText(false).add("*2 $0 *0").reply();
        } else if (from == null) {
            return Errors.UNKNOWN_CURSOR;
        }
        byte[] start = Arrays.compareUnsigned(from, prefix) < 0 ? prefix : from;
        Request request = prefix.length == 0
                ? Request.Scan.between(start, null, scanning.count)
                : Request.Scan.ofPrefixFrom(prefix, start, scanning.count);
        return commands.one(request, scanning::told);
    }

    private Reply told(Outcome outcome) {
        if (!(outcome instanceof Outcome.Records(RecordBatch batch))) {
            throw new IllegalStateException("a range came to " + outcome);
        } else if (batch.failure() != null) {
            return Errors.of(Objects.requireNonNull(batch.failure()), commands.paths());
        }
        List<byte[]> keys = AllKeys.keysOf(batch);
        keys.removeIf(key -> !ofStrings || glob != null && !glob.matches(key));
        boolean ended = batch.last() && batch.count() < count;
        long next = commands.cursors().next(cursor, ended ? null : behind(batch.key(batch.count() - 1)));
        ReplyText text = new ReplyText(false).add("*2 $" + next + " *" + keys.size());
        keys.forEach(text::bulk);
        return text.reply();
    }

    /// The least key behind another.
    static byte[] behind(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }

    /// The key that each cursor stands for: clients carry numbers. Of an iteration the last two steps are kept, so that
    /// a client whose reply was lost may ask once more. Any thread may call.
    ///
    ///     number = iteration * 2^16 + step
    static final class Cursors {

        private static final int MOST_ITERATIONS = 1024;
        private static final long MOST_BYTES = 8 << 20;
        private static final int STEP_BITS = 16;
        private static final long STEP_MASK = (1 << STEP_BITS) - 1;

        /// What a step takes besides its key.
        private static final int OVERHEAD_BYTES = 100;

        private final Recent<Long, byte[]> positions = new Recent<>(2 * MOST_ITERATIONS, MOST_BYTES);
        private final AtomicLong last = new AtomicLong();

        /// The key from which a number goes on.
        ///
        /// @return null if it is not known, or not any more
        byte @Nullable [] position(long cursor) {
            return positions.get(cursor);
        }

        /// The number under which an iteration goes on from a key.
        ///
        /// @param cursor the one that it has gone on from now, or 0 for a new one
        /// @param position null at its end
        /// @return 0 at its end
        long next(long cursor, byte @Nullable [] position) {
            positions.remove(step(cursor, -1));
            if (position == null) {
                positions.remove(cursor);
                return 0;
            }
            long number = cursor == 0 ? last.incrementAndGet() << STEP_BITS : step(cursor, 1);
            positions.put(number, position, OVERHEAD_BYTES + position.length);
            return number;
        }

        private static long step(long cursor, int by) {
            return cursor & ~STEP_MASK | cursor + by & STEP_MASK;
        }
    }
}
