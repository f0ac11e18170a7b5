package kvant.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLHandshakeException;
import kvant.client.Calls.ClientCall;
import kvant.client.Calls.ClientCall.Effect;
import kvant.client.Calls.Understood;
import org.jspecify.annotations.Nullable;

/// The attempts of one call, until one of them decides it or its deadline passes. An attempt ends before the next one
/// begins, so that only one thread at a time is in here; the caller sees only the result.
///
///     send -> the expected answer -> result
///          -> another, or none    -> Meaning -> wait, send again
///                                            -> KvantException
final class Attempts<T> {

    private static final int MOST_RETRY_AFTER_DIGITS = 9;

    // Constant.
    private final ClientTransport transport;
    private final ClientCall<T> call;
    private final long startNanos = System.nanoTime();
    private final long timeNanos;
    private final CompletableFuture<T> result = new CompletableFuture<>();

    // Owned by the thread of the current attempt.
    private int tries;
    private boolean mayBeApplied;

    /// The request or wait under way; cancelled with the result.
    private volatile @Nullable Future<?> underWay;

    private Attempts(ClientTransport transport, ClientCall<T> call, long timeNanos) {
        this.transport = transport;
        this.call = call;
        this.timeNanos = timeNanos;
    }

    /// @param timeNanos for all tries and the waits between them
    static <T> CompletableFuture<T> start(ClientTransport transport, ClientCall<T> call, long timeNanos) {
        Attempts<T> attempts = new Attempts<>(transport, call, timeNanos);
        attempts.result.whenComplete((answer, failure) -> {
            Future<?> sent = attempts.underWay;
            if (attempts.result.isCancelled() && sent != null) {
                sent.cancel(true);
            }
        });
        transport.budget().countCall();
        attempts.send(new AtomicBoolean());
        return attempts.result;
    }

    private long leftNanos() {
        return timeNanos - (System.nanoTime() - startNanos);
    }

    /// @param begins claimed by the side that decides the attempt: this method, or the deadline while it prepares its
    ///     request
    private void send(AtomicBoolean begins) {
        if (result.isDone()) {
            return; // cancelled meanwhile
        }
        HttpRequest request;
        try {
            request = transport.request(call, this::leftNanos);
        } catch (RuntimeException | Error e) { // the supplier of the token; else the call would never end
            result.completeExceptionally(e);
            return;
        }
        if (result.isDone() || !begins.compareAndSet(false, true)) {
            return; // the supplier took too long
        }
        long left = leftNanos();
        if (left <= 0) {
            StatusMapping notSent = call.effect() == Effect.READ ? StatusMapping.NO_WORD : StatusMapping.NOT_NOW;
            result.completeExceptionally(exception(notSent, null, new TimeoutException()));
            return;
        }
        tries++;
        CompletableFuture<HttpResponse<Received>> sent = transport.http().sendAsync(request, call.bodies());
        underWay = sent;
        CompletableFuture<HttpResponse<Received>> inTime = new CompletableFuture<>();
        inTime.orTimeout(left, TimeUnit.NANOSECONDS).whenComplete((response, failure) -> {
            if (failure == null) {
                answered(response);
            } else {
                sent.cancel(true);
                failed(failure);
            }
        });
        sent.whenComplete((response, failure) -> {
            boolean taken = failure == null ? inTime.complete(response) : inTime.completeExceptionally(failure);
            if (!taken && response != null) {
                discard(response);
            }
        });
    }

    private void answered(HttpResponse<Received> response) {
        Understood<T> answer;
        try {
            answer = call.answer().of(response);
        } catch (IllegalArgumentException e) { // such as an entity tag that is none
            answer = null;
        }
        if (answer != null) {
            if (!result.complete(answer.result())) {
                discard(response); // cancelled meanwhile
            }
            return;
        }
        discard(response);
        Problem problem = Problem.of(response.statusCode(), response.body().bytes());
        long retryAfter = response.headers()
                .firstValue("Retry-After")
                .filter(text -> text.matches("\\d{1," + MOST_RETRY_AFTER_DIGITS + "}"))
                .map(Long::valueOf)
                .orElse(0L);
        decide(StatusMapping.of(problem), problem, null, retryAfter);
    }

    private void failed(Throwable failure) {
        Throwable cause = failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
        if (cause instanceof IOException || cause instanceof TimeoutException) {
            decide(meaningOf(cause), null, cause, 0);
        } else {
            result.completeExceptionally(cause);
        }
    }

    private static StatusMapping meaningOf(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException) {
                return StatusMapping.NOT_NOW; // nothing was sent
            }
            if (cause instanceof SSLHandshakeException) {
                return StatusMapping.REFUSED; // nor here, and a certificate does not change from one try to the next
            }
            if (cause instanceof Received.TooLongException) {
                return StatusMapping.FAILED;
            }
        }
        return StatusMapping.NO_WORD;
    }

    private void decide(StatusMapping meaning, @Nullable Problem problem, @Nullable Throwable cause, long retryAfter) {
        boolean isWrite = call.effect() != Effect.READ;
        mayBeApplied |= isWrite && (meaning == StatusMapping.NO_WORD || meaning == StatusMapping.FAILED);
        boolean mayRepeat = meaning == StatusMapping.NOT_NOW
                || meaning == StatusMapping.NO_WORD && call.effect() != Effect.CONDITIONAL_WRITE;
        long wait = transport.backoff().nanosAfter(tries, retryAfter);
        boolean hasTime = wait < leftNanos();
        if (mayRepeat
                && hasTime
                && tries < transport.options().tries()
                && transport.budget().take()) {
            sendLater(wait, exception(meaning, problem, cause));
        } else {
            result.completeExceptionally(exception(meaning, problem, cause));
        }
    }

    /// @param tooLate the outcome of the call when its deadline passes before anything is sent, because the token
    ///     supplier is slow
    private void sendLater(long waitNanos, KvantException tooLate) {
        AtomicBoolean begins = new AtomicBoolean();
        Executor later = CompletableFuture.delayedExecutor(waitNanos, TimeUnit.NANOSECONDS);
        CompletableFuture.runAsync(() -> send(begins), later)
                .orTimeout(Math.max(1, leftNanos()), TimeUnit.NANOSECONDS)
                .whenComplete((sent, failure) -> {
                    if (failure != null && begins.compareAndSet(false, true)) {
                        result.completeExceptionally(tooLate);
                    }
                });
    }

    private KvantException exception(StatusMapping meaning, @Nullable Problem problem, @Nullable Throwable cause) {
        String reason = reason(problem, cause);
        String what = call.method() + " " + transport.node() + call.path() + ": " + reason + " ("
                + (tries == 1 ? "1 try" : tries + " tries") + ")";
        if (mayBeApplied) {
            return new KvantException.OutcomeUnknown(what + "; it may have been applied", problem, cause);
        }
        return switch (meaning) {
            case CONDITION_FAILED -> new KvantException.ConditionFailed(what, problem, cause);
            case REFUSED -> new KvantException.Refused(what, problem, cause);
            case FAILED -> new KvantException.Failed(what, problem, cause);
            case NOT_NOW -> new KvantException.Unavailable(what, problem, cause);
            case NO_WORD ->
                cause instanceof TimeoutException
                        ? new KvantException.DeadlinePassed(what, problem, cause)
                        : new KvantException.Unavailable(what, problem, cause);
        };
    }

    private String reason(@Nullable Problem problem, @Nullable Throwable cause) {
        if (problem != null) {
            return problem.toString();
        }
        if (cause instanceof TimeoutException) {
            return "no answer within " + TimeUnit.NANOSECONDS.toMillis(timeNanos) + " ms";
        }
        return "no answer: " + ClientTransport.words(cause);
    }

    private static void discard(HttpResponse<Received> response) {
        PacedInput stream = response.body().stream();
        if (stream != null) {
            stream.close();
        }
    }

    /// The meaning of an unexpected answer; the same for every call.
    enum StatusMapping {
        /// The condition of the write did not hold.
        CONDITION_FAILED,
        /// Not executed, and a retry would not help.
        REFUSED,
        /// Not executed, and a retry may help.
        NOT_NOW,
        /// Executed, and failed.
        FAILED,
        /// The request may have been executed. A retry may help.
        NO_WORD;

        /// Only the answer of a node itself counts as "not executed": a proxy may lose an answer and write one of its
        /// own.
        static StatusMapping of(Problem problem) {
            return switch (problem.status()) {
                case 412 -> CONDITION_FAILED;
                case 429 -> NOT_NOW;
                case 408 -> problem.is("request-timeout") ? NOT_NOW : NO_WORD;
                case 500 -> FAILED;
                case 502 -> NO_WORD;
                case 503 -> ofUnavailable(problem);
                case 504 -> problem.is("replicas-unavailable") ? NOT_NOW : NO_WORD;
                case 501, 505, 507 -> REFUSED;
                default -> problem.status() >= 400 && problem.status() < 500 ? REFUSED : FAILED;
            };
        }

        private static StatusMapping ofUnavailable(Problem problem) {
            if (problem.is("writes-stopped")) {
                return REFUSED; // until an operator restarts the node
            }
            return problem.type().isEmpty() ? NO_WORD : NOT_NOW;
        }
    }
}
