package kvant.archive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import kvant.archive.ArchiveIndex.LogObject;
import kvant.backup.Hashes;
import kvant.backup.ObjectStore;
import kvant.engine.EngineException;
import kvant.engine.Health;
import kvant.engine.MetricSink;
import kvant.engine.Write;
import kvant.engine.feed.Change;
import kvant.engine.feed.ChangeCursor;
import kvant.engine.feed.ChangeFeed;
import kvant.engine.kit.Companion;
import org.jspecify.annotations.Nullable;

/// Puts what a store writes into an archive, in order: an object only once the one before it is there. Writes
/// never wait for it: the logs hold what the target has not taken yet, up to their bound.
///
///     take the archive (an epoch) --> cut an object from the feed --> put it --> still ours? --> let its logs go
///                ^                                  |
///                +---- (failure: pause, again)      +--> no longer held: a gap; continue at the newest version
///
/// One thread does that. A second one samples the clock, a third makes bases ([Housekeeper]).
public final class Archiver implements Companion, AutoCloseable {

    private static final Logger LOGGER = System.getLogger(Archiver.class.getName());
    private static final Duration SAMPLES = Duration.ofMillis(100);
    private static final long READ_BYTES = 1 << 20;

    /// An object that is cut and not put yet: a repeated put has the same bytes, however often it fails.
    private record Cut(LogObject object, Path file, String sha256) {}

    // Constant.
    final ArchiveState state;
    private final ChangeFeed feed;
    private final @Nullable Acknowledgements acks;
    private final Rounds putting;
    private final Rounds sampling;

    // Owned by the thread that puts.
    private @Nullable ObjectStore store;
    private @Nullable Ownership ownership;
    private @Nullable ChangeCursor cursor;
    private @Nullable Cut cut;
    private long position;

    // Written by that thread; null before the archive is owned.
    volatile @Nullable Housekeeper housekeeper;

    public Archiver(ArchivePlace place, ArchivedStore source, ArchiveOptions options, Clock clock) {
        state = new ArchiveState(place, source, options, clock);
        feed = source.changes();
        putting = new Rounds("kvant-archive", options.interval(), options.retryLongest(), this::putAll);
        sampling = new Rounds("kvant-archive-clock", SAMPLES, SAMPLES, _ -> sample());
        acks = options.ack() ? new Acknowledgements(options.ackLimit().toNanos(), putting::wake) : null;
    }

    public void start() {
        sampling.start();
        putting.start();
    }

    @Override
    public @Nullable Write around(Write write) {
        return acks == null ? write : acks.hold(write);
    }

    @Override
    public Health.Check check() {
        return state.check();
    }

    @Override
    public void measure(MetricSink sink) {
        state.measure(sink);
    }

    /// Archives what is left, for as long as the options allow. Must be called before the store is closed.
    @Override
    public void close() {
        sampling.close();
        putting.close();
        putting.join(state.options.closeLimit());
        Housekeeper keeper = housekeeper;
        if (keeper != null) {
            keeper.rounds.close();
        }
        if (!state.stopped && state.version < feed.newest()) {
            LOGGER.log(
                    Level.WARNING,
                    "the archive ends at version {0}, the store at {1}: the next start continues there",
                    String.valueOf(state.version),
                    String.valueOf(feed.newest()));
        }
    }

    private Rounds.Result sample() {
        state.times.sample(feed.newest(), state.clock.millis());
        if (acks != null) {
            acks.expire();
        }
        return Rounds.Result.WORKED;
    }

    private Rounds.Result putAll(boolean last) {
        boolean isFirst = housekeeper == null;
        Rounds.Result result = state.attempt(state.changes, this::round);
        Housekeeper keeper = housekeeper;
        if (keeper != null && isFirst) {
            keeper.rounds.start();
        }
        if (state.stopped) {
            feed.copied(Long.MAX_VALUE); // the logs need not be held any more
            if (acks != null) {
                acks.lost(state.changes.trouble, true);
            }
        }
        if (store != null && (last || result != Rounds.Result.WORKED)) {
            store.close(); // a new connection may work
            store = null;
        }
        return result;
    }

    /// Archives all changes up to now.
    void round() throws IOException {
        if (store == null) {
            store = state.place.open("");
        }
        if (ownership == null) {
            ownership = take(store);
        }
        for (long upTo = feed.newest(); position < upTo; ) {
            putNext(store, ownership, upTo);
        }
    }

    private Ownership take(ObjectStore target) throws IOException {
        Path folder = OwnerFile.folder(state.source.data());
        Files.deleteIfExists(folder.resolve("next"));
        Ownership owned = Ownership.take(target, folder, feed.newest(), state.options.takeOver(), state.clock);
        target.discardUnfinished();
        position = owned.from();
        archivedUpTo(position);
        housekeeper = new Housekeeper(state, owned);
        return owned;
    }

    private void putNext(ObjectStore target, Ownership owned, long upTo) throws IOException {
        if (cut == null) {
            try {
                cut = cut(owned, upTo);
            } catch (EngineException.Gone e) {
                continueBehindGap(e);
                return;
            }
        }
        target.put(cut.object().name(), cut.file(), cut.sha256());
        owned.requireHeld(target); // else the new owner has not counted it
        state.objects.incrementAndGet();
        state.bytes.addAndGet(cut.object().bytes());
        position = cut.object().to();
        Path done = cut.file();
        cut = null;
        archivedUpTo(position);
        Files.deleteIfExists(done);
    }

    private void archivedUpTo(long version) {
        state.archived(version);
        feed.copied(version);
        if (acks != null) {
            acks.archived(version);
        }
    }

    /// Only the archive lacks the changes of the gap: the store and the next base have them.
    private void continueBehindGap(EngineException.Gone e) {
        long newest = feed.newest();
        state.gaps.incrementAndGet();
        LOGGER.log(
                Level.WARNING,
                "the archive has a gap: versions {0} to {1} cannot be restored one by one ({2}); a new base follows,"
                        + " and --archive-backlog bounds what is held",
                String.valueOf(position + 1),
                String.valueOf(newest),
                e.getMessage());
        position = newest;
        cursor = null;
        if (acks != null) {
            acks.lost("the archive has a gap", false);
        }
        archivedUpTo(newest);
        Housekeeper keeper = housekeeper;
        if (keeper != null) {
            keeper.rounds.wake();
        }
    }

    /// Reads the feed up to the end of a group. Never holds more than one change in memory.
    private Cut cut(Ownership owned, long upTo) throws IOException {
        ChangeCursor reader = cursor;
        cursor = null; // kept again only if the read succeeds
        if (reader != null && reader.version() == position) {
            try {
                return cut(owned, upTo, reader);
            } catch (EngineException.Gone _) {
                // The cursor is at the end of a deleted log: a new cursor may find the next one.
            }
        }
        return cut(owned, upTo, feed.after(position));
    }

    private Cut cut(Ownership owned, long upTo, ChangeCursor reader) throws IOException {
        Path file = OwnerFile.folder(state.source.data()).resolve("next");
        long most = state.options.objectBytes();
        LogObject object = ArchiveFormat.write(file, owned.epoch(), position, writer -> {
            while (reader.version() < upTo && (writer.bytes() < most || !writer.isBetweenGroups())) {
                reader.read(upTo, READ_BYTES, (change, more) -> write(writer, change, more));
            }
        });
        cursor = reader;
        return new Cut(object, file, Hashes.of(file));
    }

    private void write(ArchiveFormat.Writer writer, Change change, boolean more) {
        try {
            writer.mutation(change.mutation());
            if (!more) {
                writer.group(change.version(), state.times.millisOf(change.version(), state.clock.millis()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
