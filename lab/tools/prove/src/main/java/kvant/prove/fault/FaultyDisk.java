package kvant.prove.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import kvant.prove.stage.Stage;
import kvant.prove.stage.Tool;

/// EIO: a disk in memory whose writes fail while it is told so: the error filter of nbdkit over its memory plugin, as a
/// file by nbdfuse, as a loop device, with ext4. It has no journal: an ext4 with one turns read-only at the first
/// error, and the log of the store would not get it.
public final class FaultyDisk {

    private static final long START_NANOS = 20_000_000_000L;
    private static final long LOOK_NANOS = 20_000_000;

    private final Path trigger;
    private final String device;
    private final Mount mount;

    public FaultyDisk(Stage stage) throws IOException {
        trigger = stage.folder().resolve("fail");
        Path file = serve(stage).resolve("disk");
        device = Tool.run("losetup", "--find", "--show", file.toString());
        stage.keep(() -> Tool.run("losetup", "--detach", device));
        Tool.run("mkfs.ext4", "-qF", "-O", "^has_journal", device);
        mount = new Mount(stage, "mounted", "-o", "errors=continue", device);
        stage.keep(this::heal); // before the unmount, which writes
    }

    public static String obstacle() {
        String missing = Mount.obstacle("ext4", "mkfs.ext4", "losetup", "nbdkit", "nbdfuse");
        return missing.isEmpty() && !Files.exists(Path.of("/dev/fuse")) ? "no /dev/fuse" : missing;
    }

    private Path serve(Stage stage) throws IOException {
        Path folder = Files.createDirectories(stage.folder().resolve("faulty"));
        String filter = "nbdkit -s --exit-with-parent --filter=error memory 256M error-pwrite=EIO"
                + " error-pwrite-rate=100%% error-file=%s".formatted(trigger);
        Process process = new ProcessBuilder(("nbdfuse " + folder.resolve("disk") + " --command " + filter).split(" "))
                .redirectErrorStream(true)
                .redirectOutput(stage.folder().resolve("nbdkit.log").toFile())
                .start();
        stage.keep(() -> {
            process.destroy();
            process.onExit().join(); // which takes its mount back
        });
        long deadline = System.nanoTime() + START_NANOS;
        while (!Files.exists(folder.resolve("disk"))) {
            if (System.nanoTime() > deadline || !process.isAlive()) {
                throw new IOException("nbdfuse serves no disk: see nbdkit.log in " + stage.folder());
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return folder;
    }

    /// Where it is mounted.
    public Path folder() {
        return mount.folder();
    }

    /// From now on each write to it fails with EIO.
    public void fail() throws IOException {
        Files.createFile(trigger);
    }

    /// From now on none does.
    public void heal() throws IOException {
        Files.deleteIfExists(trigger);
    }

    /// What only the memory of the kernel has goes; what the failed writes left of the file system is repaired.
    public void remount() throws IOException {
        mount.unmount();
        Tool.run("sh", "-c", "fsck.ext4 -fy " + device + " || [ $? = 1 ]"); // 1: errors were corrected
        mount.mount();
    }
}
