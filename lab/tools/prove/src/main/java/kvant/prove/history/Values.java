package kvant.prove.history;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Values by their numbers: each has a content and a length of its own, so that a byte that is wrong is seen.
final class Values {

    /// Stands for a value that no client wrote.
    static final int UNKNOWN = 2_000_000;

    private Values() {}

    static byte[] bytes(int number) {
        byte[] head = (number + ":").getBytes(StandardCharsets.US_ASCII);
        // Long ones lie in value files of the LSM engine.
        byte[] value = Arrays.copyOf(head, head.length + (number % 16 == 0 ? 6_000 : number * 31 % 200));
        for (int i = head.length; i < value.length; i++) {
            value[i] = (byte) (number * 7 + i);
        }
        return value;
    }

    static int number(byte[] value) {
        String text = new String(value, StandardCharsets.ISO_8859_1);
        String digits = text.substring(0, Math.max(0, text.indexOf(':')));
        int number = digits.matches("[1-9]\\d{0,5}") ? Integer.parseInt(digits) : UNKNOWN;
        return Arrays.equals(value, bytes(number)) ? number : UNKNOWN;
    }
}
