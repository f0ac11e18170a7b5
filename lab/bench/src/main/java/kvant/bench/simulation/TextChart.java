package kvant.bench.simulation;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/// Curves drawn with letters, for a terminal.
final class TextChart {

    private static final int WIDTH = 72;
    private static final int HEIGHT = 12;

    private TextChart() {}

    /// @param curves values from left to right, by name; a curve is drawn with the first letter of its name
    static String of(String title, Map<String, double[]> curves) {
        double top =
                curves.values().stream().flatMapToDouble(Arrays::stream).max().orElse(1);
        char[][] canvas = new char[HEIGHT][WIDTH];
        Arrays.stream(canvas).forEach(row -> Arrays.fill(row, ' '));
        curves.forEach((name, values) -> draw(canvas, name.charAt(0), values, top));
        StringBuilder text = new StringBuilder();
        text.append(title);
        curves.keySet()
                .forEach(name ->
                        text.append(", ").append(name.charAt(0)).append(" = ").append(name));
        text.append('\n');
        for (int row = 0; row < HEIGHT; row++) {
            double value = top * (HEIGHT - row) / HEIGHT;
            text.append(String.format(Locale.ROOT, "%7.2f |", value))
                    .append(new String(canvas[row]).stripTrailing())
                    .append('\n');
        }
        return text.append("   0.00 +").append("-".repeat(WIDTH)).append('\n').toString();
    }

    private static void draw(char[][] canvas, char letter, double[] values, double top) {
        for (int column = 0; column < WIDTH && values.length > 0; column++) {
            double value = values[(int) ((long) column * values.length / WIDTH)];
            int row = HEIGHT - (int) Math.ceil(value / top * HEIGHT);
            canvas[Math.clamp(row, 0, HEIGHT - 1)][column] = letter;
        }
    }
}
