package kvant.prove.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import kvant.lab.process.Programs;
import kvant.prove.stage.Stage;

/// EIO: a disk in memory whose writes fail while a switch is on: the error filter of nbdkit over its memory plugin, as
/// a file by nbdfuse, as a loop device, with ext4. It has no journal: an ext4 with one turns read-only at the first
/// error, and the log of the store would not get it.
public final class FaultyDisk extends Disk {

    private static final long START_SECONDS = 20;

    private final Path trigger;
    private final String device;

    public FaultyDisk(Stage stage) throws IOException {
        Path trigger = stage.folder().resolve("fail");
        String device = device(stage, trigger);
        super(stage, "mounted", "-o", "errors=continue", device);
        this.trigger = trigger;
        this.device = device;
        stage.keep(this::heal); // before the unmount, which writes
    }

    public static String obstacle() {
        String missing = obstacle("ext4", "mkfs.ext4", "losetup", "nbdkit", "nbdfuse");
        return missing.isEmpty() && !Files.exists(Path.of("/dev/fuse")) ? "no /dev/fuse" : missing;
    }

    private static String device(Stage stage, Path trigger) throws IOException {
        Path file = Files.createDirectories(stage.folder().resolve("faulty")).resolve("disk");
        String filter = "nbdkit -s --exit-with-parent --filter=error memory 256M error-pwrite=EIO"
                + " error-pwrite-rate=100% error-file=" + trigger;
        Process process = new ProcessBuilder(("nbdfuse " + file + " --command " + filter).split(" "))
                .redirectErrorStream(true)
                .redirectOutput(stage.folder().resolve("nbdkit.log").toFile())
                .start();
        stage.keep(() -> {
            process.destroy();
            process.onExit().join(); // which takes its mount back
        });
        if (!Stage.comes(() -> Files.exists(file) || !process.isAlive(), START_SECONDS) || !process.isAlive()) {
            throw new IOException("nbdfuse serves no disk: see nbdkit.log in " + stage.folder());
        }
        String device = Programs.run("losetup", "--find", "--show", file.toString());
        stage.keep(() -> Programs.run("losetup", "--detach", device));
        Programs.run("mkfs.ext4", "-qF", "-O", "^has_journal", device);
        return device;
    }

    /// From now on each write to it fails with EIO.
    public void fail() throws IOException {
        Files.createFile(trigger);
    }

    /// From now on none does.
    public void heal() throws IOException {
        Files.deleteIfExists(trigger);
    }

    /// Repairs the file system after failed writes.
    @Override
    void repair() throws IOException {
        Programs.run("sh", "-c", "fsck.ext4 -fy " + device + " || [ $? = 1 ]"); // 1: errors were corrected
    }
}
