package kvant.lsm;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import kvant.lsm.storage.Damage;
import kvant.lsm.storage.Storage;

/// What a check of a store has told.
final class Findings implements StoreCheck.Listener {

    /// One problem.
    record Problem(Damage kind, String file, long offset, String what) {}

    final List<Problem> problems = new ArrayList<>();
    final List<String> notes = new ArrayList<>();
    final List<Long> progress = new ArrayList<>();
    final StoreCheck.Summary summary;

    Findings(Storage storage) throws IOException {
        summary = StoreCheck.run(storage, this);
    }

    /// The files that it found damaged, each once.
    List<String> files() {
        return problems.stream().map(Problem::file).distinct().toList();
    }

    boolean notes(String file) {
        return notes.stream().anyMatch(note -> note.startsWith(file + " "));
    }

    @Override
    public void found(Damage kind, String file, long offset, String what) {
        problems.add(new Problem(kind, file, offset, what));
    }

    @Override
    public void note(String text) {
        notes.add(text);
    }

    @Override
    public void progress(long doneBytes, long allBytes) {
        progress.add(doneBytes);
    }

    @Override
    public String toString() {
        return "problems " + problems + ", notes " + notes;
    }
}
