package kvant.lsm.operate;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import kvant.engine.EngineException;
import kvant.engine.Inspection;
import kvant.engine.Inspection.Unit;
import kvant.engine.directory.ExaminedDirectory;
import kvant.lsm.storage.DiskStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.LogsApart;
import kvant.lsm.storage.Storage;
import kvant.lsm.version.Manifest;
import kvant.lsm.version.ManifestState;
import kvant.lsm.version.Version;

/// What a store consists of that no process has open. Changes nothing.
public final class StoreInspection {

    private StoreInspection() {}

    /// @param directory whose engine is the LSM engine
    /// @throws EngineException where a start would be refused for the manifest or what a table begins and ends with
    public static Inspection of(ExaminedDirectory directory) {
        Path files = directory.path().resolve(FileNames.DIRECTORY);
        if (!Files.isDirectory(files)) {
            throw new EngineException.CannotOpen("there is no directory " + files + " with the files of a store");
        }
        try {
            return of(LogsApart.find(DiskStorage.open(files)));
        } catch (AccessDeniedException e) {
            throw new EngineException.CannotOpen(
                    "no permission for " + e.getFile() + ": run this as the user that owns the directory", e);
        } catch (IOException e) {
            throw new EngineException.Io("cannot look at " + files + ": " + e.getMessage(), e);
        }
    }

    private static Inspection of(Storage storage) throws IOException {
        ManifestState state = Manifest.read(storage);
        state.refuseMissingFiles(storage);
        Inspector inspector = new Inspector();
        Version version = Version.examine(storage, state);
        try {
            inspector.version(version);
        } finally {
            version.release();
        }
        for (long log : state.logs()) {
            inspector.log(log, storage);
        }
        return inspector
                .figure("flushed_sequence", Unit.COUNT, state.flushedSequence())
                .inspection();
    }
}
