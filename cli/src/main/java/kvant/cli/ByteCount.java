package kvant.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// A number of bytes, as people write it: `4096`, `64MB`, `1.5 GiB`. Units are powers of 1024.
record ByteCount(long bytes) {

    private static final Pattern FORM = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,6})?) ?([KMGT]?)(?:I?B)?");
    private static final String UNITS = "KMGT";

    /// Reads an option.
    static final class Option implements ITypeConverter<ByteCount> {

        @Override
        public ByteCount convert(String text) {
            Matcher matcher = FORM.matcher(text.strip().toUpperCase(Locale.ROOT));
            if (!matcher.matches()) {
                throw new TypeConversionException("'" + text + "' is not a size, such as 4096, 64MB or 10GB");
            }
            int power = matcher.group(2).isEmpty() ? 0 : UNITS.indexOf(matcher.group(2)) + 1;
            double bytes = Double.parseDouble(matcher.group(1)) * Math.pow(1024, power);
            if (bytes > Long.MAX_VALUE / 2.0) {
                throw new TypeConversionException("'" + text + "' is more than any disk holds");
            }
            return new ByteCount((long) bytes);
        }
    }

    /// With the largest unit of which there is at least one.
    @Override
    public String toString() {
        double shown = bytes;
        int power = 0;
        while (shown >= 1024 && power < UNITS.length()) {
            shown /= 1024;
            power++;
        }
        String unit = power == 0 ? " B" : " " + UNITS.charAt(power - 1) + "iB";
        return (shown == Math.rint(shown) ? "%.0f" : "%.1f").formatted(shown) + unit;
    }
}
