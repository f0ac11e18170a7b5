package kvant.server.resp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import kvant.server.request.Outcome;
import kvant.server.request.RecordBatch;
import kvant.server.request.Request;
import kvant.server.resp.parse.Glob;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// `SCAN`: one round over the keys from where a cursor stands, in their order. A key that is there throughout is shown
/// once. `COUNT` is how many are looked at, at most; a round also ends when its records take as much memory as a round
/// may.
final class Scanning {

    private static final long USUAL_COUNT = 10;
    private static final long MOST_COUNT = 1000;
    private static final Reply NO_KEYS =
            new ReplyText(false).array(2).bulk("0").array(0).reply();
    private static final Reply NO_CURSOR = Errors.error("ERR invalid cursor");
    private static final byte[] START = {};

    // Constant.
    private final Commands commands;
    private final long cursor;
    private final long count;
    private final @Nullable Glob glob;
    private final boolean ofStrings;

    private Scanning(Commands commands, long cursor, long count, @Nullable Glob glob, boolean ofStrings) {
        this.commands = commands;
        this.cursor = cursor;
        this.count = count;
        this.glob = glob;
        this.ofStrings = ofStrings;
    }

    static Action of(Commands commands, List<byte[]> words) throws WrongCommandException {
        long cursor = Errors.integer(words.get(1), NO_CURSOR);
        if (cursor < 0) {
            throw new WrongCommandException(NO_CURSOR);
        }
        long count = USUAL_COUNT;
        Glob glob = null;
        boolean ofStrings = true;
        for (int i = 2; i < words.size(); i += 2) {
            byte[] option = words.get(i);
            if (i + 1 == words.size()) {
                throw new WrongCommandException(Errors.SYNTAX);
            }
            byte[] value = words.get(i + 1);
            if (Words.is(option, "count")) {
                count = Errors.integer(value, Errors.NOT_AN_INTEGER);
            } else if (Words.is(option, "match")) {
                glob = glob(value);
            } else if (Words.is(option, "type")) {
                ofStrings = Words.is(value, "string");
            } else {
                throw new WrongCommandException(Errors.SYNTAX);
            }
        }
        if (count < 1) {
            throw new WrongCommandException(Errors.SYNTAX);
        }
        if (glob != null && glob.prefix().length > commands.maxKeyBytes()) {
            return NO_KEYS;
        }
        return new Scanning(commands, cursor, Math.min(count, MOST_COUNT), glob, ofStrings).command();
    }

    static Glob glob(byte[] pattern) throws WrongCommandException {
        Glob glob = new Glob(pattern);
        if (glob.isTooLong()) {
            throw new WrongCommandException(Errors.error(
                    "ERR pattern of more than " + Glob.MAX_BYTES + " bytes after the fixed prefix of the pattern"));
        }
        return glob;
    }

    private Action command() {
        byte[] from = cursor == 0 ? START : commands.cursors().position(cursor);
        if (from == null) {
            return Errors.UNKNOWN_CURSOR;
        }
        Request request;
        if (glob == null) {
            request = Request.Scan.between(from, null, count);
        } else {
            byte[] prefix = glob.prefix();
            byte[] start = Arrays.compareUnsigned(from, prefix) < 0 ? prefix : from;
            request = Request.Scan.ofPrefixFrom(prefix, start, count);
        }
        return commands.one(request, this::told);
    }

    private Reply told(Outcome outcome) {
        if (!(outcome instanceof Outcome.Records(RecordBatch batch))) {
            throw new IllegalStateException("a range came to " + outcome);
        }
        Outcome.Failed failure = batch.failure();
        if (failure != null) {
            return Errors.of(failure, commands.paths());
        }
        List<byte[]> keys = new ArrayList<>(batch.count());
        for (int i = 0; i < batch.count(); i++) {
            byte[] key = batch.key(i);
            if (ofStrings && (glob == null || glob.matches(key))) {
                keys.add(key);
            }
        }
        boolean ended = batch.last() && batch.count() < count;
        ReplyText text = new ReplyText(false);
        text.array(2).bulk(Long.toString(ended ? end() : next(batch))).array(keys.size());
        keys.forEach(text::bulk);
        return text.reply();
    }

    private long next(RecordBatch batch) {
        return commands.cursors().next(cursor, Cursors.behind(batch.key(batch.count() - 1)));
    }

    private long end() {
        if (cursor != 0) {
            commands.cursors().end(cursor);
        }
        return 0;
    }
}
