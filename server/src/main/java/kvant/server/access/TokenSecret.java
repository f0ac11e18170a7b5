package kvant.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/// The secret of a token: 256 random bits, with a prefix by which secret scanners recognise it.
///
/// Its hash is a plain SHA-256. A slow hash with a salt is for passwords, which a person chose and which can be
/// guessed from a list. 256 random bits cannot be guessed, even with a fast hash. And the node hashes on an event
/// loop.
public final class TokenSecret {

    private static final String BEGINNING = "kvant_";
    private static final int RANDOM_BYTES = 32;
    private static final String ALGORITHM = "SHA-256";

    /// Longest accepted secret.
    public static final int MAX_BYTES = 256;

    public static final int HASH_BYTES = 32;

    private TokenSecret() {}

    public static String generate(SecureRandom random) {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return BEGINNING + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /// A digest for hashes of secrets; not for several threads.
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance(ALGORITHM);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    public static byte[] hash(String secret) {
        return digest().digest(secret.getBytes(StandardCharsets.US_ASCII));
    }
}
