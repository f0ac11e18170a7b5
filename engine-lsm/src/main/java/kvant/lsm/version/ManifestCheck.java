package kvant.lsm.version;

import java.io.IOException;
import java.lang.foreign.Arena;
import kvant.engine.EngineException;
import kvant.lsm.storage.Damage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import kvant.lsm.wal.FileHeader;
import kvant.lsm.wal.RecordReader;
import kvant.lsm.wal.RecordType;
import org.jspecify.annotations.Nullable;

/// Checks every record of the manifest, and continues behind damage. Belongs to one thread.
public final class ManifestCheck {

    /// @param state the sum of its valid edits
    /// @param whole false when an edit is damaged, so that the state is unreliable
    /// @param tornBytes behind the last valid record
    public record Content(ManifestState state, boolean whole, long tornBytes) {}

    // Constant.
    private final RecordReader records;
    private final String name;
    private final Damage.Sink damage;

    // One thread.
    private final ManifestState state = new ManifestState();
    private boolean whole = true;

    private ManifestCheck(RecordReader records, String name, Damage.Sink damage) {
        this.records = records;
        this.name = name;
        this.damage = damage;
    }

    /// @return null when not even its header can be read
    public static @Nullable Content check(Storage storage, Damage.Sink damage) throws IOException {
        String name = storage.describe(FileNames.MANIFEST);
        try (Arena arena = Arena.ofConfined()) {
            RecordReader reader =
                    new RecordReader(storage.map(FileNames.MANIFEST, arena), FileHeader.Kind.MANIFEST, name);
            return new ManifestCheck(reader, name, damage).walk();
        } catch (EngineException.Corruption e) {
            damage.found(Damage.MANIFEST, name, e.offset(), e.detail());
        } catch (EngineException.CannotOpen e) {
            damage.found(Damage.FILE_NEWER, name, 0, String.valueOf(e.getMessage()));
        }
        return null;
    }

    private Content walk() {
        boolean edited = false;
        while (moveOn()) {
            switch (records.type()) {
                case RecordType.EDIT -> edited |= apply();
                case RecordType.END -> {}
                default -> found(records.offset(), "a record of unknown type " + records.type());
            }
            if (!records.isPadded()) {
                damage.found(Damage.PADDING, name, records.offset(), "the bytes behind this record are not zero");
            }
        }
        if (!edited && whole) {
            found(records.validSize(), "it holds no edit");
        }
        return new Content(state, whole, records.isTailEmpty() ? 0 : records.tornBytes());
    }

    private boolean moveOn() {
        while (true) {
            try {
                return records.next();
            } catch (EngineException.Corruption e) {
                found(e.offset(), e.detail());
                if (!records.skipDamage()) {
                    return false;
                }
            }
        }
    }

    private boolean apply() {
        try {
            state.apply(VersionEditDescriptor.decode(
                    records.reader(), records.header().version()));
            return true;
        } catch (IndexOutOfBoundsException e) {
            found(records.offset(), "an edit cannot be decoded: " + e.getMessage());
            return false;
        }
    }

    private void found(long offset, String what) {
        whole = false;
        damage.found(Damage.MANIFEST, name, offset, what);
    }
}
