package kvant.bench.attack;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The answer to one request over a separate connection.
///
/// @param body as received, for an answer with a length
record RawAnswer(int status, String head, byte[] body) {

    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");
    private static final String END = "\r\n\r\n";

    /// Sends a request that closes its connection, and reads to the end.
    ///
    /// @param patience for the connection, and for each piece of the answer
    /// @throws IOException when there is no answer, or an incomplete one
    static RawAnswer of(InetSocketAddress node, byte[] request, Duration patience) throws IOException {
        int millis = (int) patience.toMillis();
        try (Socket client = new Socket()) {
            client.connect(node, millis);
            client.setSoTimeout(millis);
            client.getOutputStream().write(request);
            return read(client.getInputStream());
        }
    }

    private static RawAnswer read(InputStream in) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        in.transferTo(all);
        byte[] bytes = all.toByteArray();
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int end = text.indexOf(END);
        Matcher status = STATUS.matcher(text);
        if (end < 0 || !status.lookingAt()) {
            throw new IOException("no answer");
        }
        byte[] body = text.substring(end + END.length()).getBytes(StandardCharsets.ISO_8859_1);
        RawAnswer answer = new RawAnswer(Integer.parseInt(status.group(1)), text.substring(0, end), body);
        String length = answer.header("Content-Length");
        if (length != null && Integer.parseInt(length) != body.length) {
            throw new IOException("half an answer");
        }
        return answer;
    }

    /// @return null if there is none
    @Nullable
    String header(String name) {
        Matcher line = Pattern.compile("(?im)^" + Pattern.quote(name) + ": *([^\\r\\n]*)")
                .matcher(head);
        return line.find() ? line.group(1) : null;
    }
}
