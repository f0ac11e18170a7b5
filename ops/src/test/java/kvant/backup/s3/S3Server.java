package kvant.backup.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.text.python.PythonTools;

/// A server of S3 from PyPI, with a bucket. Where it cannot be had, the test is skipped and says so.
public record S3Server(Process process, URI endpoint) implements AutoCloseable {

    private static final Pattern ADDRESS = Pattern.compile("Running on (http://127\\.0\\.0\\.1:\\d+)");

    public static S3Server start(String bucket) throws Exception {
        PythonTools tools =
                PythonTools.install("s3-server", Path.of("src/test/s3-server/requirements.txt"), "moto_server");
        Path output = Files.createTempFile("kvant-s3", ".txt");
        Process process = tools.start(
                Map.of("PYTHONUNBUFFERED", "1"),
                List.of(tools.program("moto_server").toString(), "-H", "127.0.0.1", "-p", "0"),
                output);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> ADDRESS.matcher(Files.readString(output)).find());
        Matcher address = ADDRESS.matcher(Files.readString(output));
        assertThat(address.find()).isTrue();
        Files.delete(output);
        S3Server server = new S3Server(process, URI.create(address.group(1)));
        System.setProperty("aws.accessKeyId", "test");
        System.setProperty("aws.secretAccessKey", "not a secret");
        server.create(bucket);
        return server;
    }

    private void create(String bucket) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(endpoint.resolve("/" + bucket))
                    .PUT(HttpRequest.BodyPublishers.noBody())
                    .header(
                            "Authorization",
                            "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, SignedHeaders=host,"
                                    + " Signature=0")
                    .build();
            assertThat(http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
    }

    @Override
    public void close() {
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
        process.destroyForcibly().onExit().join();
    }
}
