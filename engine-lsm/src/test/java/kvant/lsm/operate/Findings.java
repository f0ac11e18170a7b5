package kvant.lsm.operate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import kvant.lsm.storage.Damage;
import kvant.lsm.storage.Storage;

/// The findings of a store check.
public final class Findings implements StoreCheck.Listener {

    /// One problem.
    public record Problem(Damage kind, String file, long offset, String what) {}

    public final List<Problem> problems = new ArrayList<>();
    public final List<String> notes = new ArrayList<>();
    public final List<Long> progress = new ArrayList<>();
    public final StoreCheck.Summary summary;

    public Findings(Storage storage) throws IOException {
        summary = StoreCheck.run(storage, this);
    }

    /// The files that it found damaged, each once.
    public List<String> files() {
        return problems.stream().map(Problem::file).distinct().toList();
    }

    public boolean notes(String file) {
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
