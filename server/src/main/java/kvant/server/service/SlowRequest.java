package kvant.server.service;

import kvant.server.request.Request;

/// One of the slowest requests of its minute.
///
/// @param endedNanos nano time at which the answer was written; the stages lie before it
/// @param endedMillis the same by the wall clock
/// @param key its first bytes, those that are not printable ASCII as `%XX`
public record SlowRequest(
        long endedNanos,
        long endedMillis,
        String operation,
        String result,
        String key,
        long readNanos,
        long queueNanos,
        long engineNanos,
        long deliverNanos,
        long writeNanos) {

    private static final int KEY_BYTES = 48;

    static SlowRequest of(Call call, String operation, String result, long nowNanos) {
        return new SlowRequest(
                nowNanos,
                System.currentTimeMillis(),
                operation,
                result,
                keyOf(call.request()),
                call.queuedNanos() - call.readNanos(),
                call.startedNanos() - call.queuedNanos(),
                call.doneNanos() - call.startedNanos(),
                call.settledNanos() - call.doneNanos(),
                nowNanos - call.settledNanos());
    }

    public long totalNanos() {
        return readNanos + queueNanos + engineNanos + deliverNanos + writeNanos;
    }

    public long beganNanos() {
        return endedNanos - totalNanos();
    }

    private static String keyOf(Request request) {
        return switch (request) {
            case Request.Get get -> printable(get.key());
            case Request.Put put -> printable(put.key());
            case Request.Delete delete -> printable(delete.key());
            case Request.Scan scan -> printable(scan.range().from());
            case Request.Batch _, Request.Probe _, Request.Page _ -> "";
        };
    }

    private static String printable(byte[] key) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(key.length, KEY_BYTES); i++) {
            byte b = key[i];
            if (b > ' ' && b < 0x7f && b != '%' && b != '"' && b != '\\') {
                text.append((char) b);
            } else {
                text.append(String.format("%%%02X", b));
            }
        }
        return text.append(key.length > KEY_BYTES ? "..." : "").toString();
    }
}
