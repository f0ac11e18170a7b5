package kvant.cli.spans;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.HttpResponse;
import io.opentelemetry.sdk.common.export.HttpSender;
import io.opentelemetry.sdk.common.export.HttpSenderConfig;
import io.opentelemetry.sdk.common.export.MessageWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// Sends to a collector with the JDK's HTTP client: the other senders require additional HTTP clients.
final class JdkSender implements HttpSender {

    private final HttpSenderConfig config;
    private final HttpClient client;

    JdkSender(HttpSenderConfig config) {
        this.config = config;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(config.getConnectTimeout())
                .build();
    }

    private record Answer(int status, byte[] body) implements HttpResponse {

        @Override
        public int getStatusCode() {
            return status;
        }

        @Override
        public String getStatusMessage() {
            return "";
        }

        @Override
        public byte[] getResponseBody() {
            return body;
        }
    }

    @Override
    public void send(MessageWriter message, Consumer<HttpResponse> answered, Consumer<Throwable> failed) {
        try {
            ByteArrayOutputStream body = new ByteArrayOutputStream(Math.max(0, message.getContentLength()));
            message.writeMessage(body);
            HttpRequest.Builder request = HttpRequest.newBuilder(config.getEndpoint())
                    .timeout(config.getTimeout())
                    .header("Content-Type", config.getContentType())
                    .POST(HttpRequest.BodyPublishers.ofByteArray(body.toByteArray()));
            Map<String, List<String>> headers = config.getHeadersSupplier().get();
            headers.forEach((name, values) -> values.forEach(value -> request.header(name, value)));
            CompletableFuture<?> _ = client.sendAsync(
                            request.build(), java.net.http.HttpResponse.BodyHandlers.ofByteArray())
                    .whenComplete((answer, reason) -> {
                        if (reason == null) {
                            answered.accept(new Answer(answer.statusCode(), answer.body()));
                        } else {
                            failed.accept(reason);
                        }
                    });
        } catch (IOException | RuntimeException e) {
            failed.accept(e);
        }
    }

    @Override
    public CompletableResultCode shutdown() {
        client.shutdownNow();
        return CompletableResultCode.ofSuccess();
    }
}
