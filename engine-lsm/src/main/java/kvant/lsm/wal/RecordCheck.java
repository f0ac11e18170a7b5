package kvant.lsm.wal;

import java.io.IOException;
import java.util.function.Consumer;
import kvant.engine.EngineException;
import kvant.lsm.storage.Damage;
import kvant.lsm.storage.Storage;
import org.jspecify.annotations.Nullable;

/// The result of checking every record of a log or manifest, also behind damage.
///
/// @param validSize the size of its valid records: no successor vouches for more durable bytes
/// @param tornBytes non-zero bytes behind the last valid record
/// @param isWhole false when a record is damaged
public record RecordCheck(FileHeader header, long validSize, long tornBytes, boolean isWhole) {

    /// @param kind of the file: besides end records it holds records of one type
    /// @param content checks a record of that type; an [EngineException.Corruption] is reported
    /// @return null when not even its header can be read
    public static @Nullable RecordCheck of(
            Storage storage, String fileName, FileHeader.Kind kind, Damage.Sink damage, Consumer<RecordReader> content)
            throws IOException {
        boolean isLog = kind == FileHeader.Kind.LOG;
        Damage damaged = isLog ? Damage.LOG : Damage.MANIFEST;
        return damage.look(damaged, storage, fileName, (file, name) -> {
            RecordReader records = new RecordReader(file, kind, name);
            boolean whole = true;
            for (boolean more = true; more; ) {
                try {
                    more = records.next();
                    if (more) {
                        whole &= check(records, isLog ? RecordType.GROUP : RecordType.EDIT, damaged, damage, content);
                    }
                } catch (EngineException.Corruption e) {
                    damage.found(damaged, name, e.offset(), e.detail());
                    whole = false;
                    more = records.skipDamage();
                }
            }
            long tornBytes = records.isTailEmpty() ? 0 : records.tornBytes();
            return new RecordCheck(records.header(), records.validSize(), tornBytes, whole);
        });
    }

    private static boolean check(
            RecordReader record, int type, Damage damaged, Damage.Sink damage, Consumer<RecordReader> content) {
        boolean valid = true;
        try {
            if (record.type() == type) {
                content.accept(record);
            } else if (record.type() != RecordType.END) {
                throw record.unexpectedType();
            }
        } catch (EngineException.Corruption e) {
            damage.found(damaged, record.name(), e.offset(), e.detail());
            valid = false;
        }
        if (!record.isPadded()) {
            damage.found(Damage.PADDING, record.name(), record.offset(), "the bytes behind this record are not zero");
        }
        return valid;
    }
}
