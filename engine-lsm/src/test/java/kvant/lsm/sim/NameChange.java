package kvant.lsm.sim;

import java.io.Serializable;
import java.util.Map;

/// A change of the directory that a power cut may take back.
sealed interface NameChange extends Serializable {

    /// Of the file, as it is called then.
    String name();

    SimFile file();

    /// The same change of a copy of the file.
    NameChange of(SimFile copy);

    void applyTo(Map<String, SimFile> names);

    record Create(String name, SimFile file) implements NameChange {
        @Override
        public NameChange of(SimFile copy) {
            return new Create(name, copy);
        }

        @Override
        public void applyTo(Map<String, SimFile> names) {
            names.put(name, file);
        }
    }

    record Rename(String from, String to, SimFile file) implements NameChange {
        @Override
        public NameChange of(SimFile copy) {
            return new Rename(from, to, copy);
        }

        @Override
        public String name() {
            return to;
        }

        @Override
        public void applyTo(Map<String, SimFile> names) {
            names.remove(from, file);
            names.put(to, file);
        }
    }

    record Delete(String name, SimFile file) implements NameChange {
        @Override
        public NameChange of(SimFile copy) {
            return new Delete(name, copy);
        }

        @Override
        public void applyTo(Map<String, SimFile> names) {
            names.remove(name, file);
        }
    }
}
