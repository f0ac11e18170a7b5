package kvant.move.node;

/// Keys as they are written in a URL.
final class KeyText {

    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    private static final String HEX = "0123456789ABCDEF";

    private KeyText() {}

    static String encode(byte[] key) {
        StringBuilder text = new StringBuilder(key.length * 3);
        for (byte b : key) {
            if (UNRESERVED.indexOf(b) >= 0) {
                text.append((char) b);
            } else {
                text.append('%').append(HEX.charAt(b >> 4 & 0xF)).append(HEX.charAt(b & 0xF));
            }
        }
        return text.toString();
    }
}
