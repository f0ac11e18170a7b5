package kvant.server.service;

import java.util.List;
import kvant.engine.RecordSink;
import kvant.server.admit.AnswerMemory;
import kvant.server.request.Failures;
import kvant.server.request.Outcome;
import kvant.server.request.RecordBatch;
import org.jspecify.annotations.Nullable;

/// Takes the entries of keys as long as there is memory for them. Belongs to the worker of its call.
final class EntrySink implements RecordSink {

    private final Call call;
    private final AnswerMemory memory;
    private final List<byte[]> wanted;
    private final List<Outcome.@Nullable Entry> all;
    private long bytes;
    private boolean overloaded;

    EntrySink(Call call, AnswerMemory memory, List<byte[]> wanted, List<Outcome.@Nullable Entry> all) {
        this.call = call;
        this.memory = memory;
        this.wanted = wanted;
        this.all = all;
    }

    @Override
    public void take(byte[] key, byte[] value, long version, long expiresAtMillis) {
        bytes += value.length + RecordBatch.RECORD_OVERHEAD_BYTES;
        overloaded |= !call.claimAnswer(memory, bytes);
        if (overloaded) {
            return;
        }
        while (wanted.get(all.size()) != key) {
            all.add(null);
        }
        all.add(new Outcome.Entry(value, version, expiresAtMillis));
    }

    Outcome outcome() {
        if (overloaded) {
            return Failures.OVERLOADED;
        }
        while (all.size() < wanted.size()) {
            all.add(null);
        }
        return new Outcome.Entries(all);
    }
}
