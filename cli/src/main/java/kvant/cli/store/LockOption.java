package kvant.cli.store;

import java.io.IOException;
import kvant.backup.ObjectStore;
import kvant.backup.TargetLock;
import picocli.CommandLine.Option;

/// The option of commands that change backups.
final class LockOption {

    @Option(names = "--take-lock", description = "Go on although another process seems to change the backups.")
    private boolean takeLock;

    TargetLock take(ObjectStore store) throws IOException {
        return TargetLock.take(store, takeLock);
    }
}
