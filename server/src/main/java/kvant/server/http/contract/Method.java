package kvant.server.http.contract;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/// Request methods; all methods outside of the contract are one of them.
public enum Method {
    GET,
    PUT,
    HEAD,
    DELETE,
    POST,
    OPTIONS,
    OTHER;

    private static final Method[] KNOWN = {GET, PUT, HEAD, DELETE, POST, OPTIONS};

    private final byte[] word = name().getBytes(StandardCharsets.US_ASCII);

    public static Method of(ByteBuf in, int from, int to) {
        for (Method method : KNOWN) {
            if (Bytes.equals(in, from, to, method.word)) {
                return method;
            }
        }
        return OTHER;
    }
}
