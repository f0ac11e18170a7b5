package kvant.prove.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import kvant.lab.process.ProgramPath;
import kvant.prove.stage.Stage;
import kvant.prove.stage.Tool;

/// A file system that is mounted in a folder of the stage until its end.
final class Mount implements AutoCloseable {

    private static final long BUSY_NANOS = 20_000_000_000L;
    private static final long LOOK_NANOS = 20_000_000;

    /// The bit of the right to mount in the line `CapEff` of `/proc/self/status`.
    private static final int SYS_ADMIN = 21;

    private final List<String> arguments;
    private final Path folder;
    private boolean mounted;

    /// @param arguments of `mount`, without the folder
    Mount(Stage stage, String name, String... arguments) throws IOException {
        this.arguments = List.of(arguments);
        this.folder = Files.createDirectories(stage.folder().resolve(name));
        mount();
        stage.keep(this);
    }

    /// Why this machine has no such file system, or empty.
    static String obstacle(String type, String... tools) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            String rights =
                    lines.filter(line -> line.startsWith("CapEff:")).findFirst().orElse("CapEff: 0");
            if ((Long.parseUnsignedLong(rights.substring(7).strip(), 16) >>> SYS_ADMIN & 1) == 0) {
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

    Path folder() {
        return folder;
    }

    void mount() throws IOException {
        String[] words = Stream.of(List.of("mount"), arguments, List.of(folder.toString()))
                .flatMap(List::stream)
                .toArray(String[]::new);
        Tool.run(words);
        mounted = true;
    }

    /// Once it is not busy: the files of a process that was killed are closed a moment after its end.
    void unmount() throws IOException {
        long deadline = System.nanoTime() + BUSY_NANOS;
        while (mounted) {
            try {
                Tool.run("umount", folder.toString());
                mounted = false;
            } catch (IOException e) {
                if (System.nanoTime() > deadline
                        || !String.valueOf(e.getMessage()).contains("busy")) {
                    throw e;
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }

    @Override
    public void close() throws IOException {
        unmount();
    }
}
