package kvant.text.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import kvant.text.FileTrouble;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads the certificates that a client trusts in place of those of the JDK, for an option such as `--cacert FILE`.
public final class Authorities implements ITypeConverter<SSLContext> {

    @Override
    public SSLContext convert(String file) {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry(Integer.toString(trusted.size()), each);
            }
            if (trusted.size() == 0) {
                throw new TypeConversionException("'" + file + "' holds no certificate");
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException e) {
            throw new TypeConversionException("cannot read '" + file + "': " + FileTrouble.reading(e));
        } catch (InvalidPathException e) {
            throw new TypeConversionException("cannot read '" + file + "': " + e.getReason());
        } catch (GeneralSecurityException _) {
            throw new TypeConversionException("'" + file + "' holds no certificates in PEM");
        }
    }
}
