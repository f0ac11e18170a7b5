package kvant.move.node;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.Arrays;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import org.jspecify.annotations.Nullable;

/// The records of a node, page by page, each page a snapshot of its own and read as it comes. Belongs to one thread.
final class NodeCursor implements Cursor {

    /// What a page holds: few enough that the node need not keep old files for long.
    static final int PAGE_RECORDS = 10_000;

    /// The least key there is.
    private static final byte[] LEAST = {0};

    private static final int FIRST_LINE_BYTES = 4 << 10;

    /// Of the body of a refusal.
    private static final int MOST_PROBLEM_BYTES = 4 << 10;

    /// The longest value in base64, and as much again for the longest key and the names.
    private static final int MOST_LINE_BYTES = 96 << 20;

    // Constant.
    private final NodeEndpoint node;

    // One thread.
    private byte[] from;
    private byte @Nullable [] last;
    private RangeLine.Value current = new RangeLine.Value(LEAST, LEAST, Mutation.Put.NEVER);
    private byte[] line = new byte[FIRST_LINE_BYTES];
    private @Nullable InputStream page;
    private int records;
    private boolean ended;

    NodeCursor(NodeEndpoint node, byte[] from) {
        this.node = node;
        this.from = from.length == 0 ? LEAST : from;
    }

    @Override
    public boolean next() {
        while (!ended) {
            InputStream open = page == null ? ask() : page;
            int length = readLine(open);
            switch (RangeLine.parse(line, length)) {
                case RangeLine.Value value -> {
                    records++;
                    from = value.key();
                    if (!Arrays.equals(value.key(), last)) { // the page before ended with it
                        last = value.key();
                        current = value;
                        return true;
                    }
                }
                case RangeLine.Complete _ -> {
                    ended = records < PAGE_RECORDS;
                    closePage();
                }
                case RangeLine.BrokenOff broken ->
                    throw new EngineException.Busy("the node broke a range off: " + broken.reason());
            }
        }
        return false;
    }

    private InputStream ask() {
        HttpResponse<InputStream> answer = node.send(
                node.request("/v0/entities?start=" + KeyText.encode(from) + "&limit=" + PAGE_RECORDS)
                        .header("Accept", "application/x-ndjson")
                        .GET()
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        InputStream body = new BufferedInputStream(answer.body());
        page = body;
        records = 0;
        if (answer.statusCode() != Answers.OK) {
            byte[] problem = problem(body);
            closePage();
            throw Answers.failure(answer.statusCode(), problem);
        }
        return body;
    }

    private byte[] problem(InputStream body) {
        try {
            return body.readNBytes(MOST_PROBLEM_BYTES);
        } catch (IOException _) {
            return new byte[0]; // the status says enough
        }
    }

    /// @return its length, without the line feed
    private int readLine(InputStream in) {
        int length = 0;
        try {
            for (int b = in.read(); b != '\n'; b = in.read()) {
                if (b < 0) {
                    throw new EngineException.Unavailable("the node ended a range before its last line");
                }
                if (length == line.length) {
                    if (length >= MOST_LINE_BYTES) {
                        throw new EngineException.Io("a record of the node is longer than any may be", null);
                    }
                    line = Arrays.copyOf(line, Math.min(MOST_LINE_BYTES, length * 2));
                }
                line[length++] = (byte) b;
            }
            return length;
        } catch (IOException e) {
            throw new EngineException.Unavailable(node.unreachable(e));
        }
    }

    @Override
    public byte[] key() {
        return current.key();
    }

    @Override
    public byte[] value() {
        return current.value();
    }

    /// A range does not say.
    @Override
    public long version() {
        return 0;
    }

    @Override
    public long expiresAtMillis() {
        return current.expiresAtMillis();
    }

    @Override
    public void close() {
        ended = true;
        closePage();
    }

    private void closePage() {
        InputStream open = page;
        page = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException _) {
                // Everything that is wanted of it has been read.
            }
        }
    }
}
