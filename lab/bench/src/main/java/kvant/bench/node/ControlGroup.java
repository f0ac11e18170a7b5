package kvant.bench.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import kvant.text.UserException;

/// A control group of Linux, version 1 or 2, with so much memory, page cache included, and so many reads a second from
/// one disk. Making one takes root.
final class ControlGroup implements AutoCloseable {

    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final int MIB_BITS = 20;

    /// A device number as `st_dev` has it: major in bits 8 to 19, minor in bits 0 to 7 and from 20 on.
    private static final int MINOR_BITS = 8;

    private static final int MAJOR_MASK = 0xfff;
    private static final int LOW_MINOR_MASK = 0xff;
    private static final int HIGH_MINOR_SHIFT = 12;

    private final List<Path> made = new ArrayList<>();

    private ControlGroup() {}

    /// @param readsPerSecond 0 for as many as the disk gives
    /// @param folder on the disk whose reads are bounded
    /// @throws UserException where none can be made
    static ControlGroup make(int memoryMib, int readsPerSecond, Path folder) {
        ControlGroup group = new ControlGroup();
        String name = "kvant-bench-" + ProcessHandle.current().pid();
        try {
            for (Map.Entry<Path, Map<String, String>> parent :
                    wanted(memoryMib, readsPerSecond, folder).entrySet()) {
                Path made = Files.createDirectory(parent.getKey().resolve(name));
                group.made.add(made);
                for (Map.Entry<String, String> setting : parent.getValue().entrySet()) {
                    Files.writeString(made.resolve(setting.getKey()), setting.getValue());
                }
            }
            return group;
        } catch (IOException e) {
            group.close();
            throw new UserException(
                    "no control group can be made here, which takes root (" + e
                            + "); or give --prefix, such as 'systemd-run --user --scope -p MemoryMax=700M'",
                    e);
        }
    }

    private static Map<Path, Map<String, String>> wanted(int memoryMib, int readsPerSecond, Path folder)
            throws IOException {
        String bytes = Long.toString((long) memoryMib << MIB_BITS);
        String disk = device((Long) Files.getAttribute(folder, "unix:dev"));
        Map<Path, Map<String, String>> wanted = new LinkedHashMap<>();
        if (Files.exists(ROOT.resolve("cgroup.controllers"))) { // version 2: one tree
            Map<String, String> settings = new LinkedHashMap<>(Map.of("memory.max", bytes));
            if (readsPerSecond > 0) {
                settings.put("io.max", disk + " riops=" + readsPerSecond);
            }
            wanted.put(ROOT, settings);
            return wanted;
        }
        wanted.put(ROOT.resolve("memory"), Map.of("memory.limit_in_bytes", bytes));
        if (readsPerSecond > 0) {
            wanted.put(ROOT.resolve("blkio"), Map.of("blkio.throttle.read_iops_device", disk + " " + readsPerSecond));
        }
        return wanted;
    }

    static String device(long number) {
        long major = number >> MINOR_BITS & MAJOR_MASK;
        long minor = number & LOW_MINOR_MASK | number >> HIGH_MINOR_SHIFT & ~LOW_MINOR_MASK;
        return major + ":" + minor;
    }

    /// What starts a process in it.
    List<String> prefix() {
        String join = made.stream()
                .map(group -> "echo $$ >" + group.resolve("cgroup.procs"))
                .collect(Collectors.joining(" && "));
        return List.of("sh", "-c", join + " && exec \"$@\"", "sh");
    }

    /// After its last process has ended.
    @Override
    public void close() {
        for (Path group : made) {
            try {
                Files.deleteIfExists(group);
            } catch (IOException e) {
                System.err.println("kvant: cannot remove " + group + ": " + e.getMessage());
            }
        }
    }
}
