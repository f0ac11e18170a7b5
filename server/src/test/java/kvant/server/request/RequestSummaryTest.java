package kvant.server.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import kvant.engine.Mutation;
import kvant.engine.Range;
import kvant.engine.WriteBatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The summary of a settled request: small, with all that figures and logs need.
class RequestSummaryTest {

    private static final int MOST = 256;
    private static final byte[] LONG = "k".repeat(60_000).getBytes(StandardCharsets.US_ASCII);
    private static final Precondition NONE = Precondition.Plain.NONE;

    static Stream<Request> requests() {
        Mutation put = new Mutation.Put(LONG, LONG);
        return Stream.of(
                new Request.Get(LONG, NONE),
                new Request.Record(LONG),
                new Request.Entries(List.of(LONG, LONG)),
                new Request.Put(LONG, LONG, 7, NONE, 1),
                new Request.Delete(LONG, NONE, 1),
                new Request.Batch(LONG),
                new Request.Update(WriteBatch.of(put), NONE),
                new Request.Update(WriteBatch.of(new Mutation.Delete(LONG)), NONE),
                new Request.Update(WriteBatch.of(List.of(put, put, put)), NONE),
                new Request.Scan(Range.of(LONG, LONG), true),
                new Request.Page(_ -> new Outcome.Page("text/plain", LONG), "x".repeat(60_000)));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void nothingLongIsKept(Request request) {
        Request spent = request.spent();

        assertThat(spent.getClass()).isEqualTo(request.getClass());
        assertThat(spent.kind()).isEqualTo(request.kind());
        assertThat(bytesOf(spent)).isLessThanOrEqualTo(2 * MOST);
        if (request instanceof Request.Update before && spent instanceof Request.Update after) {
            assertThat(after.isPut()).isEqualTo(before.isPut());
            assertThat(after.isDelete()).isEqualTo(before.isDelete());
        }
    }

    private static long bytesOf(Request request) {
        return switch (request) {
            case Request.Get get -> get.key().length;
            case Request.Record record -> record.key().length;
            case Request.Entries entries ->
                entries.keys().stream().mapToLong(key -> key.length).sum();
            case Request.Put put -> put.key().length + put.value().length;
            case Request.Delete delete -> delete.key().length;
            case Request.Batch batch -> batch.body().length;
            case Request.Update update ->
                update.batch().mutations().stream()
                        .mapToLong(RequestSummaryTest::bytesOf)
                        .sum();
            case Request.Scan scan ->
                scan.range().from().length
                        + (scan.range().to() == null
                                ? 0
                                : Objects.requireNonNull(scan.range().to()).length);
            case Request.Page page -> page.accept().length();
            case Request.Changes _, Request.ReadOnly _, Request.Probe _ -> 0;
        };
    }

    private static long bytesOf(Mutation mutation) {
        return mutation.key().length + (mutation instanceof Mutation.Put put ? put.value().length : 0);
    }
}
