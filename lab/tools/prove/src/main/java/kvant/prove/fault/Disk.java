package kvant.prove.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import kvant.lab.process.ProgramPath;
import kvant.lab.process.Programs;
import kvant.prove.stage.Stage;

/// A file system that is mounted in a folder of the stage until its end.
public class Disk implements AutoCloseable {

    private static final long BUSY_SECONDS = 20;

    /// The bit of the right to mount in the line `CapEff` of `/proc/self/status`.
    private static final int SYS_ADMIN = 21;

    private final List<String> arguments;
    private final Path folder;
    private boolean mounted;

    /// @param arguments of `mount`, without the folder
    Disk(Stage stage, String name, String... arguments) throws IOException {
        this.arguments = List.of(arguments);
        this.folder = Files.createDirectories(stage.folder().resolve(name));
        mount();
        stage.keep(this);
    }

    /// Why this machine has no such file system, or empty.
    static String obstacle(String type, String... tools) {
        try {
            String status = Files.readString(Path.of("/proc/self/status"));
            String rights = status.replaceAll("(?s).*CapEff:\\s*(\\w+).*", "$1");
            if ((Long.parseUnsignedLong(rights, 16) >>> SYS_ADMIN & 1) == 0) {
                return "no right to mount (CAP_SYS_ADMIN: run as root)";
            }
            for (String tool : tools) {
                if (!ProgramPath.has(tool)) {
                    return "no program " + tool;
                }
            }
            if (tools.length > 0 && !Files.exists(Path.of("/dev/loop-control"))) {
                return "no loop devices (/dev/loop-control)";
            }
            boolean has = Files.readString(Path.of("/proc/filesystems")).contains("\t" + type + "\n");
            return has ? "" : "the kernel has no " + type;
        } catch (IOException _) {
            return "not Linux";
        }
    }

    /// Where it is mounted.
    public final Path folder() {
        return folder;
    }

    private void mount() throws IOException {
        Programs.run(Stream.of(List.of("mount"), arguments, List.of(folder.toString()))
                .flatMap(List::stream)
                .toList());
        mounted = true;
    }

    /// Remounts the disk: data that only the kernel's memory had is lost, and the file system recovers.
    public final void remount() throws IOException {
        close();
        repair();
        mount();
    }

    /// Runs between unmount and mount.
    void repair() throws IOException {}

    /// Once it is not busy: the files of a process that was killed are closed a moment after its end.
    @Override
    public final void close() throws IOException {
        if (mounted && !Stage.comes(this::isUnmounted, BUSY_SECONDS)) {
            throw new IOException(folder + " stays busy");
        }
        mounted = false;
    }

    private boolean isUnmounted() throws IOException {
        try {
            Programs.run("umount", folder.toString());
            return true;
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).contains("busy")) {
                return false;
            }
            throw e;
        }
    }
}
