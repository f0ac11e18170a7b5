package kvant.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/// Writes JSON (RFC 8259), into memory or a writer, in the order of the calls: one member a line, or all on one line.
/// The caller opens and closes objects and lists; one that is closed too often or written out of place is a
/// programming error and throws. Quoting and numbers are Jackson's.
///
///     new Json().open().put("rate", 20_000).openList("errors").add("timeout").closeList().close().toString()
///
/// Belongs to one thread.
public final class Json {

    private static final JsonFactory FACTORY = new JsonFactory();

    /// Decimal places of a double: figures are read by people too.
    private static final int DECIMALS = 3;

    /// Whole doubles up to here are written without a point.
    private static final double LARGEST_WHOLE = 1e15;

    private final Writer text;
    private final JsonGenerator generator;
    private final boolean lines;

    /// A document with one member a line, and a line feed at the end.
    public Json() {
        this(new StringWriter(), true);
    }

    private Json(Writer text, boolean lines) {
        this.text = text;
        this.lines = lines;
        try {
            generator = FACTORY.createGenerator(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // it writes into memory
        }
        if (lines) {
            generator.setPrettyPrinter(printer());
        }
    }

    /// A document on one line, without a line feed: for answers over a network and records of a log.
    public static Json line() {
        return new Json(new StringWriter(), false);
    }

    /// Streams an object into a writer, one member a line, for data that is found over a long time: nothing is kept.
    /// Text is in the writer after [#flush].
    public static Json into(Writer out) {
        return new Json(out, true);
    }

    /// A string literal with its quotation marks.
    public static String quote(String value) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(value)) + '"';
    }

    private static DefaultPrettyPrinter printer() {
        Separators separators = Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                .withObjectEmptySeparator("")
                .withArrayEmptySeparator("");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(separators);
        DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
        printer.indentObjectsWith(indenter);
        printer.indentArraysWith(indenter);
        return printer;
    }

    /// @return the text written so far
    @Override
    public String toString() {
        return flush().text + (lines ? "\n" : "");
    }

    /// Hands the text written so far to the writer.
    public Json flush() {
        return write(JsonGenerator::flush);
    }

    public Json open() {
        return write(JsonGenerator::writeStartObject);
    }

    public Json open(String name) {
        return write(out -> out.writeObjectFieldStart(name));
    }

    public Json openList() {
        return write(JsonGenerator::writeStartArray);
    }

    public Json openList(String name) {
        return write(out -> out.writeArrayFieldStart(name));
    }

    public Json close() {
        return write(JsonGenerator::writeEndObject);
    }

    public Json closeList() {
        return write(JsonGenerator::writeEndArray);
    }

    public Json put(String name, String value) {
        return write(out -> out.writeStringField(name, value));
    }

    public Json put(String name, long value) {
        return write(out -> out.writeNumberField(name, value));
    }

    public Json put(String name, boolean value) {
        return write(out -> out.writeBooleanField(name, value));
    }

    /// Adds a number with at most three decimals; one that is not finite becomes null.
    public Json put(String name, double value) {
        return write(out -> {
            out.writeFieldName(name);
            number(out, value);
        });
    }

    /// Adds a number with all its decimals, for values that are used in further computations and may be small.
    public Json putExact(String name, double value) {
        return write(out -> {
            out.writeFieldName(name);
            if (Double.isFinite(value)) {
                out.writeNumber(value);
            } else {
                out.writeNull();
            }
        });
    }

    /// A list of objects, each with the components of a public record under their names: numbers, strings, truths.
    public Json put(String name, List<? extends Record> records) {
        openList(name);
        for (Record each : records) {
            open();
            for (RecordComponent part : each.getClass().getRecordComponents()) {
                write(out -> {
                    out.writeFieldName(part.getName());
                    out.writeObject(value(part, each));
                });
            }
            close();
        }
        return closeList();
    }

    private static Object value(RecordComponent part, Record of) {
        try {
            return part.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(of.getClass() + " is not public", e);
        }
    }

    /// Adds a member whose value is null.
    public Json putNull(String name) {
        return write(out -> out.writeNullField(name));
    }

    /// A member of a list.
    public Json add(String value) {
        return write(out -> out.writeString(value));
    }

    /// A member of a list: a list of numbers on one line.
    public Json add(double... values) {
        Json row = line();
        row.write(out -> {
            out.writeStartArray();
            for (double value : values) {
                number(out, value);
            }
            out.writeEndArray();
        });
        return write(out -> out.writeRawValue(row.toString()));
    }

    /// A member of a list: an object on one line, written with [#line].
    public Json addLine(Json object) {
        return write(out -> out.writeRawValue(object.toString()));
    }

    private static void number(JsonGenerator out, double value) throws IOException {
        if (!Double.isFinite(value)) {
            out.writeNull();
        } else if (value == Math.rint(value) && Math.abs(value) < LARGEST_WHOLE) {
            out.writeNumber((long) value);
        } else {
            out.writeNumber(BigDecimal.valueOf(value)
                    .setScale(DECIMALS, RoundingMode.HALF_UP)
                    .toPlainString());
        }
    }

    private interface Step {
        void to(JsonGenerator out) throws IOException;
    }

    private Json write(Step step) {
        try {
            step.to(generator);
        } catch (IOException e) { // it writes into memory: only what is out of place
            throw new IllegalStateException("JSON out of place: " + e.getMessage(), e);
        }
        return this;
    }
}
