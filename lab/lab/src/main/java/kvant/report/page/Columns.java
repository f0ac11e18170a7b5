package kvant.report.page;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import kvant.report.page.Block.Cell;

/// A table as its columns: what stands above each, and what it says of a row. A table without rows is none.
///
/// @param <T> what a row is about
final class Columns<T> {

    private final Content to;
    private final List<String> head = new ArrayList<>();
    private final List<Function<T, Cell>> cells = new ArrayList<>();

    Columns(Content to) {
        this.to = to;
    }

    /// Of each variant under each load, which its first two columns name.
    static Columns<Measured> measured(Content to) {
        return new Columns<Measured>(to)
                .text("column.phase", one -> one.phase().name())
                .text("column.variant", one -> one.label(to.words()));
    }

    /// @param head as it is
    Columns<T> column(String head, Function<T, Cell> cell) {
        this.head.add(head);
        cells.add(cell);
        return this;
    }

    /// @param key of what stands above it
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
