package kvant.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import kvant.text.UserException;

/// The backups of one place, the oldest first, as they were when it was read.
///
/// @param backups those whose lists can be read
/// @param damaged ids of the others, and why
public record Catalog(List<Backup> backups, Map<String, String> damaged) {

    public static Catalog read(ObjectStore store) throws IOException {
        List<Backup> backups = new ArrayList<>();
        Map<String, String> damaged = new TreeMap<>();
        for (String id : store.list(BackupFormat.LISTS).keySet()) {
            if (!BackupFormat.isId(id)) {
                continue; // somebody else's
            }
            String name = BackupFormat.list(id);
            try (InputStream in = store.get(name)) {
                byte[] bytes = in.readNBytes(BackupFormat.LONGEST_LIST_BYTES);
                backups.add(BackupFormat.decode(id, bytes, store.describe(name)));
            } catch (NoSuchFileException _) {
                continue; // deleted since
            } catch (UserException e) {
                damaged.put(id, String.valueOf(e.getMessage()));
            }
        }
        return new Catalog(backups, damaged);
    }

    /// @param id of a backup, or `latest`
    /// @throws UserException where there is no such backup, or its list is damaged
    public Backup find(String id, ObjectStore store) {
        String wanted = id.equals("latest") ? newest() : id;
        String damage = damaged.get(wanted);
        if (damage != null) {
            throw new UserException(damage + "; 'kvant backup list' tells what else is there");
        }
        for (Backup backup : backups) {
            if (backup.id().equals(wanted)) {
                return backup;
            }
        }
        String which = wanted.isEmpty() ? "" : " " + wanted;
        throw new UserException("there is no backup" + which + " in " + store.describe("")
                + ": 'kvant backup list' tells what is there");
    }

    /// The id of the newest backup, whether it can be read or not; empty where there is none.
    String newest() {
        String newest = backups.isEmpty() ? "" : backups.getLast().id();
        for (String id : damaged.keySet()) {
            newest = newest.compareTo(id) < 0 ? id : newest;
        }
        return newest;
    }
}
