package kvant.lsm.sim;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.TreeMap;

/// The content of a simulated disk, durable or not, as one object: a file that has a name and a durable name stays one
/// file when it is read again.
record DiskState(
        TreeMap<String, SimFile> names, TreeMap<String, SimFile> durableNames, ArrayList<NameChange> unsyncedNames)
        implements Serializable {

    void write(Path file) throws IOException {
        try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(file))) {
            out.writeObject(this);
        }
    }

    static DiskState read(Path file) throws IOException {
        try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(file))) {
            return (DiskState) in.readObject();
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
        }
    }
}
