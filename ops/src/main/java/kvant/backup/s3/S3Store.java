package kvant.backup.s3;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import kvant.backup.Hashes;
import kvant.backup.ObjectStore;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/// Backups in a bucket of S3 or of a compatible server.
///
/// By the protocol a stored object is complete and durable. Its SHA-256 is sent along, so that the server rejects
/// corrupt content. Credentials come from the usual sources of AWS tools (variables, credentials file, machine
/// identity), never from a command line.
public final class S3Store implements ObjectStore {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(60);

    private static final String SCHEME = "s3://";
    private static final int LARGEST_PAGE = 1000;
    private static final int PRECONDITION_FAILED = 412;
    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;

    /// Required for signatures; servers other than Amazon's ignore it.
    private static final Region ANY_REGION = Region.US_EAST_1;

    private final S3Client client;
    private final int page;
    private final String bucket;
    private final String prefix;

    private S3Store(S3Client client, int page, String bucket, String prefix) {
        this.client = client;
        this.page = page;
        this.bucket = bucket;
        this.prefix = prefix;
    }

    public static boolean isUrl(String target) {
        return target.startsWith(SCHEME);
    }

    /// @param url `s3://BUCKET/PREFIX`
    /// @param endpoint of a server other than Amazon's, or null
    /// @throws UserException when the URL is invalid
    public static S3Store open(String url, @Nullable URI endpoint) {
        return open(url, endpoint, LARGEST_PAGE);
    }

    /// @param page number of names to request at a time
    static S3Store open(String url, @Nullable URI endpoint, int page) {
        String[] parts = url.substring(SCHEME.length()).split("/", 2);
        String prefix = parts.length < 2 ? "" : parts[1].replaceFirst("/+$", "");
        if (!parts[0].matches("[a-z0-9][a-z0-9.-]{1,62}") || !prefix.matches("([\\w.=-]+(/[\\w.=-]+)*)?")) {
            throw new UserException("'" + url + "' names no place for backups: write s3://BUCKET/PREFIX");
        }
        try {
            return new S3Store(client(endpoint), page, parts[0], prefix.isEmpty() ? "" : prefix + "/");
        } catch (SdkException e) {
            throw new UserException(url + ": " + reason(e), e);
        }
    }

    private static S3Client client(@Nullable URI endpoint) {
        S3ClientBuilder builder = S3Client.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(CONNECT_TIMEOUT)
                        .socketTimeout(SOCKET_TIMEOUT))
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED) // not all servers support others
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .region(region());
        if (endpoint != null) {
            builder.endpointOverride(endpoint).forcePathStyle(true);
        }
        return builder.build();
    }

    private static Region region() {
        try {
            return new DefaultAwsRegionProviderChain().getRegion();
        } catch (SdkException _) {
            return ANY_REGION;
        }
    }

    @Override
    public void put(String name, Path content, String sha256) throws IOException {
        if (!Hashes.of(content).equals(sha256)) { // not every server checks the hash
            throw new IOException(content + " changed while it was copied");
        }
        String checksum = Base64.getEncoder().encodeToString(HexFormat.of().parseHex(sha256));
        asked(
                name,
                () -> client.putObject(
                        request -> request.bucket(bucket).key(prefix + name).checksumSHA256(checksum),
                        RequestBody.fromFile(content)));
    }

    @Override
    public void put(String name, byte[] content) throws IOException {
        asked(
                name,
                () -> client.putObject(
                        request -> request.bucket(bucket).key(prefix + name), RequestBody.fromBytes(content)));
    }

    @Override
    public boolean create(String name, byte[] content) throws IOException {
        return putIf(
                name,
                content,
                request -> request.bucket(bucket).key(prefix + name).ifNoneMatch("*"),
                PRECONDITION_FAILED,
                CONFLICT);
    }

    /// @param refusals status codes of a reply whose condition did not hold
    /// @return whether the condition held
    private boolean putIf(String name, byte[] content, Consumer<PutObjectRequest.Builder> request, Integer... refusals)
            throws IOException {
        try {
            client.putObject(request, RequestBody.fromBytes(content));
            return true;
        } catch (SdkException e) {
            if (e instanceof S3Exception answer && List.of(refusals).contains(answer.statusCode())) {
                return false;
            }
            throw failed(name, e);
        }
    }

    @Override
    public boolean replace(String name, byte[] expected, byte[] content) throws IOException {
        String tag = tag(name, expected);
        return tag != null && replaceTagged(name, tag, content);
    }

    /// The entity tag of an object, which is unique to its content; null if the object has other content.
    @Nullable
    String tag(String name, byte[] expected) throws IOException {
        try (ResponseInputStream<GetObjectResponse> in = asked(
                name, () -> client.getObject(request -> request.bucket(bucket).key(prefix + name)))) {
            return Arrays.equals(in.readNBytes(expected.length + 1), expected)
                    ? in.response().eTag()
                    : null;
        } catch (NoSuchFileException _) {
            return null;
        }
    }

    /// @return false when the object has another tag by now, or no longer exists
    boolean replaceTagged(String name, String tag, byte[] content) throws IOException {
        return putIf(
                name,
                content,
                request -> request.bucket(bucket).key(prefix + name).ifMatch(tag),
                PRECONDITION_FAILED,
                CONFLICT,
                NOT_FOUND);
    }

    @Override
    public InputStream get(String name) throws IOException {
        return asked(
                name, () -> client.getObject(request -> request.bucket(bucket).key(prefix + name)));
    }

    @Override
    public SortedMap<String, Long> list(String folder) throws IOException {
        String before = prefix + folder + "/";
        ListObjectsV2Request request = ListObjectsV2Request.builder()
                .bucket(bucket)
                .prefix(before)
                .maxKeys(page)
                .build();
        return asked(folder, () -> {
            SortedMap<String, Long> sizes = new TreeMap<>();
            for (S3Object each : client.listObjectsV2Paginator(request).contents()) {
                sizes.put(each.key().substring(before.length()), each.size());
            }
            return sizes;
        });
    }

    @Override
    public void delete(String name) throws IOException {
        asked(name, () -> client.deleteObject(request -> request.bucket(bucket).key(prefix + name)));
    }

    @Override
    public void discardUnfinished() {
        // an interrupted put leaves nothing behind
    }

    @Override
    public String describe(String name) {
        return SCHEME + bucket + "/" + prefix + name;
    }

    @Override
    public void close() {
        client.close();
    }

    private interface Request<T> {
        T send();
    }

    private <T> T asked(String name, Request<T> request) throws IOException {
        try {
            return request.send();
        } catch (NoSuchKeyException _) {
            throw new NoSuchFileException(describe(name));
        } catch (SdkException e) {
            throw failed(name, e);
        }
    }

    private IOException failed(String name, SdkException e) {
        return new IOException(describe(name) + ": " + reason(e), e);
    }

    /// The library's messages are long and list the class names of all credential sources it tried.
    private static String reason(SdkException e) {
        if (e instanceof S3Exception answer && answer.awsErrorDetails() != null) {
            return "the server answered " + answer.statusCode() + " "
                    + answer.awsErrorDetails().errorCode() + ": "
                    + answer.awsErrorDetails().errorMessage();
        }
        String message = String.valueOf(e.getMessage());
        if (message.contains("Unable to load credentials")) {
            return "there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or"
                    + " AWS_SHARED_CREDENTIALS_FILE";
        }
        Throwable cause = e.getCause();
        return cause == null ? message : message + " (" + cause.getMessage() + ")";
    }
}
