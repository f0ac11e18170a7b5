package kvant.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A client that sends commands as arrays of bulk strings, or any bytes, and shows each reply as text:
///
///     +OK  -ERR why  :5  "value"  nil  [a, b]  {k=v}
public final class RespClient implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 20_000;

    private final Socket socket = new Socket();
    private final InputStream in;

    public RespClient(int port) throws IOException {
        this(port, 0);
    }

    /// @param receiveBuffer of the socket, 0 for the usual one
    public RespClient(int port, int receiveBuffer) throws IOException {
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress("127.0.0.1", port), TIMEOUT_MILLIS);
        in = new BufferedInputStream(socket.getInputStream());
    }

    public Socket socket() {
        return socket;
    }

    /// Words with blanks between them, as one command.
    public String ask(String line) throws IOException {
        send(line);
        return read();
    }

    public String ask(byte[]... words) throws IOException {
        raw(command(words));
        return read();
    }

    public RespClient send(String line) throws IOException {
        return raw(command(line));
    }

    public RespClient raw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    public RespClient raw(String bytes) throws IOException {
        return raw(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    public static byte[] command(String line) {
        String[] texts = line.split(" ");
        byte[][] words = new byte[texts.length][];
        for (int i = 0; i < texts.length; i++) {
            words[i] = texts[i].getBytes(StandardCharsets.ISO_8859_1);
        }
        return command(words);
    }

    public static byte[] command(byte[]... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(("*" + words.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (byte[] word : words) {
            out.writeBytes(("$" + word.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.writeBytes(word);
            out.writeBytes(new byte[] {'\r', '\n'});
        }
        return out.toByteArray();
    }

    /// The next reply.
    public String read() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+', '-', ':' -> line;
            case '_' -> "nil";
            case '$' -> bulk(Integer.parseInt(rest));
            case '=' -> bulk(Integer.parseInt(rest)).replace("\"txt:", "\"");
            case '*', '~' ->
                rest.equals("-1") ? "nil" : elements(Integer.parseInt(rest)).toString();
            case '%' -> entries(Integer.parseInt(rest));
            default -> throw new IOException("no reply: " + line);
        };
    }

    private String bulk(int length) throws IOException {
        if (length < 0) {
            return "nil";
        }
        byte[] bytes = in.readNBytes(length + 2);
        if (bytes.length < length + 2 || bytes[length] != '\r' || bytes[length + 1] != '\n') {
            throw new EOFException("a bulk string of " + length + " bytes was cut short");
        }
        return '"' + new String(bytes, 0, length, StandardCharsets.ISO_8859_1) + '"';
    }

    private List<String> elements(int count) throws IOException {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(read());
        }
        return all;
    }

    private String entries(int count) throws IOException {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(read() + "=" + read());
        }
        return "{" + String.join(", ", all) + "}";
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\r'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("closed in a reply: " + line);
            }
            line.append((char) b);
        }
        if (in.read() != '\n') {
            throw new IOException("bare CR");
        }
        return line.toString();
    }

    /// Whether the server closes, and sends nothing before.
    public boolean isClosed() throws IOException {
        return in.read() < 0;
    }

    public byte[] readFully(int bytes) throws IOException {
        return in.readNBytes(bytes);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
