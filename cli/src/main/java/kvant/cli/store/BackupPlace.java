package kvant.cli.store;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import kvant.backup.DirectoryStore;
import kvant.backup.ObjectStore;
import kvant.backup.s3.S3Store;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The options that say where backups lie, and how a failure there is told.
final class BackupPlace {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--target",
            paramLabel = "PLACE",
            required = true,
            description = "Where the backups lie: a directory, or s3://BUCKET/PREFIX.")
    private String target = "";

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            description = "Server to ask for s3://..., where it is not Amazon's.")
    private @Nullable URI endpoint;

    /// Something that is done with the backups.
    interface Work<T> {
        T with(ObjectStore store) throws IOException;
    }

    String target() {
        return target;
    }

    /// @param create whether a directory may be made
    <T> T use(boolean create, Work<T> work) {
        if (target.isEmpty()) {
            throw new ParameterException(
                    command.commandLine(), "'--target' names no place"); // not the working directory
        }
        try (ObjectStore store =
                S3Store.isUrl(target) ? S3Store.open(target, endpoint) : DirectoryStore.open(Path.of(target), create)) {
            return work.with(store);
        } catch (IOException e) {
            String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new UserException("backups in " + target + ": " + reason, e);
        }
    }
}
