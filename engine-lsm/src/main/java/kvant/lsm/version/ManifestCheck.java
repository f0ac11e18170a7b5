package kvant.lsm.version;

import java.io.IOException;
import kvant.lsm.storage.Damage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import kvant.lsm.wal.FileHeader;
import kvant.lsm.wal.RecordCheck;
import org.jspecify.annotations.Nullable;

/// The result of checking every record of the manifest, also behind damage.
///
/// @param state the sum of its valid edits
/// @param isWhole false when an edit is damaged, so that the state is unreliable
/// @param tornBytes behind the last valid record
public record ManifestCheck(ManifestState state, boolean isWhole, long tornBytes) {

    /// @return null when not even its header can be read
    public static @Nullable ManifestCheck of(Storage storage, Damage.Sink damage) throws IOException {
        ManifestState state = new ManifestState();
        RecordCheck records =
                RecordCheck.of(storage, FileNames.MANIFEST, FileHeader.Kind.MANIFEST, damage, state::apply);
        if (records == null) {
            return null;
        }
        boolean empty = !state.isEdited();
        if (empty && records.isWhole()) {
            String name = storage.describe(FileNames.MANIFEST);
            damage.found(Damage.MANIFEST, name, records.validSize(), "it holds no edit");
        }
        return new ManifestCheck(state, records.isWhole() && !empty, records.tornBytes());
    }
}
