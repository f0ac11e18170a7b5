package kvant.lsm;

import java.time.InstantSource;
import java.util.Arrays;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.lsm.record.Tag;
import kvant.lsm.table.Table;

/// Looks several keys up in one snapshot; see [kvant.engine.Engine#getAll].
///
/// The snapshot is that of a scan: one super version, whose tables are held by a reference, and the sequence
/// number up to which its memtables are read. The sequence number is needed because the commit thread adds a
/// batch to the active memtable record by record: a reader who took what is newest could see half of it.
///
/// Keys are looked up in their order, whatever the order of the caller, so that neighbours meet the same
/// blocks one right after the other, while these are in the processor's cache, and equal keys are looked up
/// once.
final class MultiGet {

    /// A key and where its answer goes.
    private record Question(byte[] key, int place) implements Comparable<Question> {
        @Override
        public int compareTo(Question other) {
            return Arrays.compareUnsigned(key, other.key);
        }
    }

    private MultiGet() {}

    static Lookup[] find(Store store, byte[][] keys) {
        // The view first: whatever it holds has at most the sequence number that is read after it.
        SuperVersion view = store.acquire();
        try {
            return find(
                    view,
                    Tag.upTo(store.visibleSequence()),
                    InstantSource.fixed(store.clock().instant()),
                    keys);
        } catch (Table.Retired _) {
            throw new EngineException.Closed(); // the version is held: only the end of the engine closes its tables
        } catch (InternalError e) {
            throw store.shortened(); // the JVM may throw it some instructions late, where no table is known
        } finally {
            store.release(view);
        }
    }

    private static Lookup[] find(SuperVersion view, long newestTag, InstantSource clock, byte[][] keys) {
        Question[] questions = sorted(keys);
        Lookup[] answers = new Lookup[keys.length];
        for (int i = 0; i < questions.length; i++) {
            Question question = questions[i];
            boolean repeated = i > 0 && questions[i - 1].compareTo(question) == 0;
            answers[question.place] =
                    repeated ? answers[questions[i - 1].place] : view.find(question.key, newestTag, clock, true);
        }
        return answers;
    }

    private static Question[] sorted(byte[][] keys) {
        Question[] questions = new Question[keys.length];
        for (int i = 0; i < keys.length; i++) {
            questions[i] = new Question(keys[i], i);
        }
        Arrays.sort(questions);
        return questions;
    }
}
