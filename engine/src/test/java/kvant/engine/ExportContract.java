package kvant.engine;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.delete;
import static kvant.engine.Samples.keys;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.rest;
import static kvant.engine.Samples.scan;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Exports: what a scan shows, each record once, in any order.
interface ExportContract extends ContractFixture {

    @Test
    default void anExportShowsEachRecordOnce() {
        assertThat(export(Range.all())).isEmpty();
        List<Mutation> puts = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            puts.add(put("k" + i, "of " + i));
        }
        write(engine(), WriteBatch.of(puts));
        write(engine(), delete("k500"), put("k600", "newer"), put("empty", ""));
        assertThat(export(Range.all())).hasSize(1000).containsExactlyInAnyOrderElementsOf(scan(engine(), "", null));
    }

    @Test
    default void anExportKeepsToItsRange() {
        write(engine(), put("a", "1"), put("b", "2"), put("ba", "3"), put("c", "4"), put("\u00ff", "5"));
        assertThat(keys(export(Range.of(bytes("b"), bytes("c"))))).containsExactlyInAnyOrder("b", "ba");
        assertThat(keys(export(Range.of(bytes("b"), null)))).containsExactlyInAnyOrder("b", "ba", "c", "\u00ff");
        assertThat(keys(export(Range.prefix(bytes("b"))))).containsExactlyInAnyOrder("b", "ba");
        assertThat(export(Range.of(bytes("c"), bytes("b")))).isEmpty();
        assertThat(export(Range.of(bytes(""), bytes("")))).isEmpty();
    }

    @Test
    default void anExportShowsNoMoreThanItsLimit() {
        write(engine(), put("a", "1"), put("b", "2"), put("c", "3"));
        assertThat(export(Range.all().limit(0))).isEmpty();
        assertThat(export(Range.all().limit(2))).hasSize(2).doesNotHaveDuplicates();
        assertThat(export(Range.all().limit(4))).hasSize(3);
    }

    @Test
    default void anExportPassesOverExpiredValues() {
        write(engine(), put("stays", "1"), new Mutation.Put(bytes("gone"), bytes("2"), 1));
        assertThat(keys(export(Range.all()))).containsExactly("stays");
    }

    @Test
    default void anExportMayBeClosedBeforeItsEnd() {
        write(engine(), put("a", "1"), put("b", "2"));
        Cursor cursor = engine().export(Range.all());
        assertThat(cursor.next()).isTrue();
        cursor.close();
        cursor.close();
        assertThat(export(Range.all())).hasSize(2);
    }

    @Test
    default void aClosedEngineRefusesExports() {
        Engine engine = engine();
        engine.close();
        assertThatThrownBy(() -> engine.export(Range.all())).isInstanceOf(EngineException.Closed.class);
        assertThatThrownBy(() -> engine.export(Range.all().limit(0))).isInstanceOf(EngineException.Closed.class);
    }

    private List<Samples.Entry> export(Range range) {
        try (Cursor cursor = engine().export(range)) {
            return rest(cursor);
        }
    }
}
