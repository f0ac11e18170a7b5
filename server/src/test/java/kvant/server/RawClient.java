package kvant.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A client that sends exactly the bytes it is given and reads exactly one answer at a time.
public final class RawClient implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 20_000;

    /// One answer.
    ///
    /// @param head status line and headers as they came, with the empty line
    /// @param chunks sizes of the chunks as written, where it was chunked
    public record Answer(int status, String head, byte[] body, List<String> chunks) {

        /// @return the values of all headers of this name
        public List<String> headers(String name) {
            List<String> values = new ArrayList<>();
            for (String line : head.split("\r\n")) {
                int colon = line.indexOf(':');
                if (colon > 0 && line.substring(0, colon).equalsIgnoreCase(name)) {
                    values.add(line.substring(colon + 1).trim());
                }
            }
            return values;
        }

        public String header(String name) {
            List<String> values = headers(name);
            return values.size() == 1 ? values.getFirst() : values.toString();
        }

        public String text() {
            return new String(body, StandardCharsets.ISO_8859_1);
        }

        /// The whole answer, with a date that does not change.
        public String bytes() {
            return head.replaceFirst("Date: [^\r]*GMT", "Date: X") + text();
        }
    }

    private final Socket socket;
    private final InputStream in;

    public RawClient(int port) throws IOException {
        this(port, 0);
    }

    public RawClient(int port, int receiveBuffer) throws IOException {
        socket = new Socket();
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress("127.0.0.1", port), TIMEOUT_MILLIS);
        in = receiveBuffer > 0 ? socket.getInputStream() : new BufferedInputStream(socket.getInputStream());
    }

    /// Over a socket that is connected, such as one with TLS.
    public RawClient(Socket connected) throws IOException {
        socket = connected;
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = new BufferedInputStream(socket.getInputStream());
    }

    public RawClient send(String bytes) throws IOException {
        return send(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    public RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    public void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    public Socket socket() {
        return socket;
    }

    public Answer exchange(String request) throws IOException {
        send(request);
        return read(request.startsWith("HEAD "));
    }

    public Answer read() throws IOException {
        return read(false);
    }

    /// @param bodiless whether the answer is one to HEAD
    public Answer read(boolean bodiless) throws IOException {
        String head = readHead();
        int status = Integer.parseInt(head.substring(9, 12));
        List<String> chunks = new ArrayList<>();
        Answer bare = new Answer(status, head, new byte[0], chunks);
        if (bodiless || status == 204 || status == 304 || status < 200) {
            return bare;
        }
        if (bare.header("Transfer-Encoding").equals("chunked")) {
            return new Answer(status, head, readChunks(chunks), chunks);
        }
        if (bare.headers("Content-Length").isEmpty()) {
            return new Answer(status, head, in.readAllBytes(), chunks);
        }
        return new Answer(status, head, readFully(Integer.parseInt(bare.header("Content-Length"))), chunks);
    }

    /// Whether the server closes, and sends nothing before.
    public boolean isClosed() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketException e) {
            throw new IOException("reset instead of closed", e);
        }
    }

    public byte[] readToEnd() throws IOException {
        return in.readAllBytes();
    }

    public int readByte() throws IOException {
        return in.read();
    }

    public byte[] readFully(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("only " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    public String readHead() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int last = 0;
        while (last != 0x0d0a0d0a) {
            int b = in.read();
            if (b < 0) {
                throw new EOFException("closed in the head: " + head.toString(StandardCharsets.ISO_8859_1));
            }
            head.write(b);
            last = last << 8 | b;
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    private byte[] readChunks(List<String> chunks) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            String size = readLine();
            chunks.add(size);
            int length = Integer.parseInt(size.toLowerCase(Locale.ROOT), 16);
            body.write(readFully(length));
            if (!readLine().isEmpty()) {
                throw new IOException("no line end after a chunk");
            }
            if (length == 0) {
                return body.toByteArray();
            }
        }
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\r'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("closed in a line: " + line);
            }
            line.append((char) b);
        }
        if (in.read() != '\n') {
            throw new IOException("bare CR");
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
