package kvant.report.page;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import kvant.report.page.Block.Cell;

/// A table defined by its columns: their headings, and their cells for a row. A table without rows is omitted.
///
/// @param <T> type of the rows
final class Columns<T> {

    private final Content to;
    private final List<String> head = new ArrayList<>();
    private final List<Function<T, Cell>> cells = new ArrayList<>();

    Columns(Content to) {
        this.to = to;
    }

    /// A table with a row for each variant under each load, named in the first two columns.
    static Columns<Measured> measured(Content to) {
        return new Columns<Measured>(to)
                .text("column.phase", one -> one.phase().name())
                .text("column.variant", one -> one.label(to.words()));
    }

    /// @param head literal heading
    Columns<T> column(String head, Function<T, Cell> cell) {
        this.head.add(head);
        cells.add(cell);
        return this;
    }

    /// @param key of the heading in the catalogue
    Columns<T> cell(String key, Function<T, Cell> cell) {
        return column(to.get(key), cell);
    }

    Columns<T> text(String key, Function<T, String> text) {
        return cell(key, row -> Cell.text(text.apply(row)));
    }

    Columns<T> number(String key, Function<T, String> number) {
        return cell(key, row -> Cell.number(number.apply(row)));
    }

    void write(Collection<T> rows) {
        if (!rows.isEmpty()) {
            to.add(of(rows));
        }
    }

    Block.Table of(Collection<T> rows) {
        return new Block.Table(
                head,
                rows.stream()
                        .map(row -> cells.stream().map(cell -> cell.apply(row)).toList())
                        .toList());
    }
}
