package kvant.prove.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import kvant.prove.stage.Stage;
import kvant.prove.stage.Tool;

/// POWER: a file system on a loop file, whose power can be cut: the shutdown ioctl of ext4 and XFS stops all writing at
/// once, its journal included, and after an unmount and a mount there is what had reached the loop file.
///
/// Two limits. A sync under way at the moment of the ioctl may say that it is done although it is not, so that the
/// processes that use the disk must stand still first ([kvant.prove.stage.Node#pause]). And the loop file keeps the
/// order of writes: a disk that loses its own cache is not part of this.
public final class LoopDisk {

    private static final String SIZE = "512M";

    private final Mount mount;

    /// Those that have the ioctl.
    public enum FileSystem {
        EXT4("ext4", "-qF"),
        XFS("xfs", "-qf");

        private final String type;
        private final String options;

        FileSystem(String type, String options) {
            this.type = type;
            this.options = options;
        }

        /// Why this machine has none, or empty.
        public String obstacle() {
            return Mount.obstacle(type, maker());
        }

        private String maker() {
            return "mkfs." + type;
        }

        @Override
        public String toString() {
            return type;
        }
    }

    /// An empty one.
    public LoopDisk(Stage stage, FileSystem type) throws IOException {
        Path image = stage.folder().resolve("disk." + type);
        stage.keep(() -> Files.deleteIfExists(image)); // a violation keeps the journal, the nodes' logs and the seed
        Tool.run("truncate", "--size", SIZE, image.toString());
        Tool.run(type.maker(), type.options, image.toString());
        mount = new Mount(stage, "mounted." + type, "-o", "loop", "-t", type.type, image.toString());
    }

    /// Where it is mounted.
    public Path folder() {
        return mount.folder();
    }

    /// From now on nothing reaches the disk. Processes that stand still should be ended next.
    public void cut() throws IOException {
        Shutdown.withoutFlush(folder());
    }

    /// The power is back: the file system recovers itself.
    public void remount() throws IOException {
        mount.unmount();
        mount.mount();
    }
}
