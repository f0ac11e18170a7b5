package kvant.cli.spans;

import io.opentelemetry.sdk.common.export.HttpSender;
import io.opentelemetry.sdk.common.export.HttpSenderConfig;
import io.opentelemetry.sdk.common.export.HttpSenderProvider;

/// Service provider through which the exporter finds [JdkSender].
public final class JdkSenderProvider implements HttpSenderProvider {

    @Override
    public HttpSender createSender(HttpSenderConfig config) {
        return new JdkSender(config);
    }
}
