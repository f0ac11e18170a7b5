package kvant.cli.engine;

import java.util.Locale;
import kvant.engine.Durability;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads `--durability`; what is allowed is decided by [Durability#parse].
public final class DurabilityOption implements ITypeConverter<Durability> {

    @Override
    public Durability convert(String text) {
        try {
            return Durability.parse(text.toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException(String.valueOf(wrong.getMessage()));
        }
    }
}
