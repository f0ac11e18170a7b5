package kvant.lsm.sim;

import java.util.Map;

/// A change of the directory that a power cut may take back.
sealed interface NameChange {

    /// Of the file, as it is called then.
    String name();

    void applyTo(Map<String, SimFile> names);

    record Create(String name, SimFile file) implements NameChange {
        @Override
        public void applyTo(Map<String, SimFile> names) {
            names.put(name, file);
        }
    }

    record Rename(String from, String to, SimFile file) implements NameChange {
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
        public void applyTo(Map<String, SimFile> names) {
            names.remove(name, file);
        }
    }
}
