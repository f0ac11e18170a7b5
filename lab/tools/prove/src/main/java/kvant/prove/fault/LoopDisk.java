package kvant.prove.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import kvant.lab.process.Programs;
import kvant.prove.stage.Stage;

/// POWER: a file system on a loop file, whose power can be cut: the shutdown ioctl of ext4 and XFS stops all writing at
/// once, its journal included, and after an unmount and a mount there is what had reached the loop file.
///
/// Two limits. A sync under way at the moment of the ioctl may say that it is done although it is not, so that the
/// processes that use the disk must stand still first ([kvant.lab.run.ServedNode#pause]). And the loop file keeps the
/// order of writes: a disk that loses its own cache is not part of this.
public final class LoopDisk extends Disk {

    private static final String SIZE = "512M";

    /// `EXT4_IOC_SHUTDOWN` and `XFS_IOC_GOINGDOWN` are the same number; 2: neither data nor the journal is written.
    private static final String SHUTDOWN =
            "$f = pack('i', 2); open(D, '<', $ARGV[0]) && ioctl(D, 0x8004587D, $f) || die \"does not shut down: $!\"";

    /// Those that have the ioctl.
    public enum FileSystem {
        EXT4,
        XFS;

        /// Why this machine has none, or empty.
        public String obstacle() {
            return Disk.obstacle(toString(), "mkfs." + this, "perl");
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// An empty one.
    public LoopDisk(Stage stage, FileSystem type) throws IOException {
        super(stage, "mounted." + type, "-o", "loop", "-t", type.toString(), image(stage, type));
    }

    private static String image(Stage stage, FileSystem type) throws IOException {
        Path image = stage.folder().resolve("disk." + type);
        stage.keep(() -> Files.deleteIfExists(image)); // a violation keeps the journal, the nodes' logs and the seed
        Programs.run("truncate", "--size", SIZE, image.toString());
        Programs.run("mkfs." + type, "-q", type == FileSystem.EXT4 ? "-F" : "-f", image.toString());
        return image.toString();
    }

    /// From now on nothing reaches the disk. Processes that stand still should be ended next.
    public void cut() throws IOException {
        Programs.run("perl", "-e", SHUTDOWN, folder().toString());
    }
}
