package kvant.text.command;

import kvant.text.Units;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads a number of bytes, such as `64MiB`, in the formats of [Units#bytes(String)].
public final class SizeOption implements ITypeConverter<Long> {

    /// The number as an option takes it, exactly.
    public static String text(long bytes) {
        String rounded = Units.bytes(bytes).replace(" ", "");
        return Units.bytes(rounded) == bytes ? rounded : String.valueOf(bytes);
    }

    @Override
    public Long convert(String text) {
        try {
            return Units.bytes(text);
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException(String.valueOf(wrong.getMessage()));
        }
    }
}
