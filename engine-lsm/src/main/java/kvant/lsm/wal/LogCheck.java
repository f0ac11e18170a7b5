package kvant.lsm.wal;

import java.io.IOException;
import java.lang.foreign.Arena;
import kvant.engine.EngineException;
import kvant.lsm.storage.Damage;
import kvant.lsm.storage.Storage;
import org.jspecify.annotations.Nullable;

/// Checks every record of a log, and continues behind damage. Belongs to one thread.
public final class LogCheck {

    /// The content of a log.
    ///
    /// @param validSize the size of its valid records: no successor vouches for more durable bytes
    /// @param lastSequence the last one in it, 0 for an empty log
    /// @param records its groups with mutations that no table has
    /// @param mutations of these groups
    /// @param tornBytes non-zero bytes behind the last valid record
    public record Content(
            FileHeader header, long validSize, long lastSequence, long records, long mutations, long tornBytes) {}

    // Constant.
    private final RecordReader log;
    private final String name;
    private final long flushedSequence;
    private final Damage.Sink damage;

    // One thread.
    private long lastSequence;
    private long records;
    private long mutations;

    private LogCheck(RecordReader log, String name, long flushedSequence, Damage.Sink damage) {
        this.log = log;
        this.name = name;
        this.flushedSequence = flushedSequence;
        this.damage = damage;
    }

    /// @param flushedSequence every record up to it is in a table
    /// @return null when not even its header can be read
    public static @Nullable Content check(Storage storage, String file, long flushedSequence, Damage.Sink damage)
            throws IOException {
        String name = storage.describe(file);
        try (Arena arena = Arena.ofConfined()) {
            RecordReader reader = new RecordReader(storage.map(file, arena), FileHeader.Kind.LOG, name);
            return new LogCheck(reader, name, flushedSequence, damage).walk();
        } catch (EngineException.Corruption e) {
            damage.found(Damage.LOG, name, e.offset(), e.detail());
        } catch (EngineException.CannotOpen e) {
            damage.found(Damage.FILE_NEWER, name, 0, String.valueOf(e.getMessage()));
        }
        return null;
    }

    private Content walk() {
        while (moveOn()) {
            switch (log.type()) {
                case RecordType.GROUP -> checkGroup();
                case RecordType.END -> {}
                default -> damage.found(Damage.LOG, name, log.offset(), "a record of unknown type " + log.type());
            }
            if (!log.isPadded()) {
                damage.found(Damage.PADDING, name, log.offset(), "the bytes behind this record are not zero");
            }
        }
        long tornBytes = log.isTailEmpty() ? 0 : log.tornBytes();
        return new Content(log.header(), log.validSize(), lastSequence, records, mutations, tornBytes);
    }

    private boolean moveOn() {
        while (true) {
            try {
                return log.next();
            } catch (EngineException.Corruption e) {
                damage.found(Damage.LOG, name, e.offset(), e.detail());
                if (!log.skipDamage()) {
                    return false;
                }
            }
        }
    }

    private void checkGroup() {
        if (log.firstSequence() <= lastSequence) {
            damage.found(
                    Damage.LOG, name, log.offset(), "sequence " + log.firstSequence() + " follows " + lastSequence);
        }
        long before = mutations;
        try {
            lastSequence = GroupDescriptor.decode(log, log.reader(), (sequence, _, _, _, _, _) -> {
                if (sequence > flushedSequence) {
                    mutations++;
                }
            });
        } catch (EngineException.Corruption e) {
            damage.found(Damage.LOG, name, e.offset(), e.detail());
        }
        records += mutations > before ? 1 : 0;
    }
}
