package kvant.lab.run;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// One connection to a node, on which the caller pipelines HTTP or RESP2. Belongs to one thread.
public final class RawConnection implements AutoCloseable {

    private static final int NOT_MODIFIED = 304;

    private final Socket socket = new Socket();
    private final InputStream in;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /// @param version of the `ETag`, 0 for none
    /// @param length of the body, -1 for chunks
    /// @param chunks of the body; one where it has a length
    public record Answer(int status, long version, int length, List<byte[]> chunks) {

        public byte[] body() {
            return chunks.isEmpty() ? new byte[0] : chunks.getFirst();
        }
    }

    /// An error of RESP.
    public record Failure(String text) {}

    /// @param patience for the connection, and for each piece of an answer
    public RawConnection(InetSocketAddress node, Duration patience) throws IOException {
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) patience.toMillis());
            socket.connect(node, (int) patience.toMillis());
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /// Adds a request to what [#flush] sends.
    ///
    /// @param fields whole lines of the head without their ends
    public RawConnection http(String method, String target, byte[] body, String... fields) {
        String more = fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
        text(method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + more + "Content-Length: " + body.length
                + "\r\n\r\n");
        out.writeBytes(body);
        return this;
    }

    /// Adds a command, of texts and bytes.
    public RawConnection resp(Object... words) {
        text("*" + words.length + "\r\n");
        for (Object word : words) {
            byte[] bytes = word instanceof byte[] raw ? raw : word.toString().getBytes(StandardCharsets.UTF_8);
            text("$" + bytes.length + "\r\n");
            out.writeBytes(bytes);
            text("\r\n");
        }
        return this;
    }

    private void text(String text) {
        out.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public void flush() throws IOException {
        out.writeTo(socket.getOutputStream());
        out.reset();
    }

    public Answer answer() throws IOException {
        Answer answer = head();
        byte[] piece = answer.length < 0 ? chunk() : exactly(answer.length);
        while (piece.length > 0) {
            answer.chunks.add(piece);
            piece = answer.length < 0 ? chunk() : new byte[0];
        }
        return answer;
    }

    /// Reads the head alone, of an answer whose [#chunk]s come as long as the node likes.
    public Answer head() throws IOException {
        int status = Integer.parseInt(line().substring("HTTP/1.1 ".length()).substring(0, 3));
        long version = 0;
        int length = 0;
        for (String line = line(); !line.isEmpty(); line = line()) {
            String value = line.substring(line.indexOf(':') + 1).strip();
            switch (line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT)) {
                case "etag" -> version = Long.parseLong(value.replace("\"", ""));
                case "content-length" -> length = Integer.parseInt(value);
                case "transfer-encoding" -> length = -1;
                default -> {}
            }
        }
        return new Answer(status, version, status == NOT_MODIFIED ? 0 : length, new ArrayList<>());
    }

    /// @return empty for the last one
    public byte[] chunk() throws IOException {
        byte[] chunk = exactly(Integer.parseInt(line(), 16));
        String _ = line();
        return chunk;
    }

    /// @return a text, a number as `Long`, bytes, a list of replies, a [Failure], or null
    public @Nullable Object reply() throws IOException {
        String line = line();
        String rest = line.substring(1);
        switch (line.charAt(0)) {
            case '+':
                return rest;
            case '-':
                return new Failure(rest);
            case ':':
                return Long.valueOf(rest);
            case '$':
                byte[] bytes = rest.equals("-1") ? null : exactly(Integer.parseInt(rest));
                String _ = bytes == null ? "" : line();
                return bytes;
            default:
                List<@Nullable Object> replies = new ArrayList<>();
                while (replies.size() < Integer.parseInt(rest)) {
                    replies.add(reply());
                }
                return rest.equals("-1") ? null : replies;
        }
    }

    private byte[] exactly(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the answer ended early");
        }
        return bytes;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int one = in.read(); one != '\n'; one = in.read()) {
            if (one < 0) {
                throw new EOFException("the connection was closed");
            }
            line.write(one);
        }
        return line.toString(StandardCharsets.ISO_8859_1).strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
