package kvant.lsm.sim;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/// One file: its bytes as the process sees them, as they were when it was last synced, and every change in
/// between. Guarded by its storage.
final class SimFile implements Serializable {

    private static final long serialVersionUID = 1L;

    /// Write-back happens in pages of this size: small, so that small records span several.
    private static final int PAGE_BYTES = 64;

    /// A change that a power cut may take back.
    private sealed interface Change extends Serializable {}

    /// Bytes at a place: behind what there is, or over room that was made before.
    private record Put(int at, byte[] bytes) implements Change {}

    private record Cut(int size) implements Change {}

    private byte[] durable;
    private byte[] content;
    private int size;
    private final ArrayList<Change> unsynced = new ArrayList<>();
    private boolean dead;

    SimFile() {
        this(new byte[0]);
    }

    private SimFile(byte[] durable) {
        this.durable = durable;
        this.content = durable.clone();
        this.size = durable.length;
    }

    int size() {
        return size;
    }

    byte[] bytes() {
        return Arrays.copyOf(content, size);
    }

    boolean hasUnsynced() {
        return !unsynced.isEmpty();
    }

    /// Whether a sync of this file has failed.
    boolean isDead() {
        return dead;
    }

    void die() {
        dead = true;
    }

    void put(int at, byte[] bytes) {
        unsynced.add(new Put(at, bytes));
        write(at, bytes);
    }

    void truncate(int newSize) {
        if (newSize < size) {
            unsynced.add(new Cut(newSize));
            size = newSize;
        }
    }

    void sync() {
        durable = bytes();
        unsynced.clear();
    }

    /// As it is after the process was killed: nothing is lost.
    SimFile killed() {
        SimFile copy = new SimFile(durable);
        copy.content = content.clone();
        copy.size = size;
        copy.unsynced.addAll(unsynced);
        copy.dead = dead;
        return copy;
    }

    /// As it may be after a power cut: what was synced, and of the rest whatever the file system happened to
    /// have written back.
    SimFile cut(RandomGenerator random) {
        return switch (unsynced.isEmpty() ? 0 : random.nextInt(4)) {
            case 0 -> new SimFile(durable);
            case 1 -> new SimFile(bytes());
            case 2 -> new SimFile(afterSome(random));
            default -> new SimFile(mixed(random));
        };
    }

    /// The first changes, the last of them in part.
    private byte[] afterSome(RandomGenerator random) {
        SimFile image = new SimFile(durable);
        int whole = random.nextInt(unsynced.size());
        for (Change change : unsynced.subList(0, whole)) {
            image.apply(change);
        }
        switch (unsynced.get(whole)) {
            case Put put -> image.write(put.at(), Arrays.copyOf(put.bytes(), random.nextInt(put.bytes().length + 1)));
            case Cut _ -> {}
        }
        return image.bytes();
    }

    /// Some pages old, some new, some from between; the size of any of these.
    private byte[] mixed(RandomGenerator random) {
        byte[][] images = {durable, afterSome(random), bytes()};
        byte[] mixed = new byte[images[random.nextInt(images.length)].length];
        for (int page = 0; page < mixed.length; page += PAGE_BYTES) {
            byte[] image = images[random.nextInt(images.length)];
            int end = Math.min(Math.min(page + PAGE_BYTES, mixed.length), image.length);
            if (page < end) {
                System.arraycopy(image, page, mixed, page, end - page);
            }
        }
        // Durable bytes below the lowest unsynced write or cut always survive.
        int untouched = durable.length;
        for (Change change : unsynced) {
            int at = switch (change) {
                case Put put -> put.at();
                case Cut cut -> cut.size();
            };
            untouched = Math.min(untouched, at);
        }
        byte[] result = mixed.length < untouched ? Arrays.copyOf(mixed, untouched) : mixed;
        System.arraycopy(durable, 0, result, 0, untouched);
        return result;
    }

    private void apply(Change change) {
        switch (change) {
            case Put put -> write(put.at(), put.bytes());
            case Cut cut -> size = Math.min(size, cut.size());
        }
    }

    private void write(int at, byte[] bytes) {
        if (at + bytes.length > content.length) {
            content = Arrays.copyOf(content, Math.max(content.length * 2, at + bytes.length));
        }
        if (at > size) {
            Arrays.fill(content, size, at, (byte) 0); // a hole reads as zeros
        }
        System.arraycopy(bytes, 0, content, at, bytes.length);
        size = Math.max(size, at + bytes.length);
    }
}
