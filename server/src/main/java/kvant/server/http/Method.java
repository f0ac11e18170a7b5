package kvant.server.http;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/// Request methods; what the contract does not use is one of them.
enum Method {
    GET,
    PUT,
    HEAD,
    DELETE,
    POST,
    OTHER;

    private static final Method[] KNOWN = {GET, PUT, HEAD, DELETE, POST};

    private final byte[] word = name().getBytes(StandardCharsets.US_ASCII);

    static Method of(ByteBuf in, int from, int to) {
        for (Method method : KNOWN) {
            if (Bytes.equals(in, from, to, method.word)) {
                return method;
            }
        }
        return OTHER;
    }
}
