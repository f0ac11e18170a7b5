package kvant.bench.cluster;

import java.util.Locale;
import picocli.CommandLine.Option;

/// Assumptions of [ScalingModel] that are not measured.
final class ScalingAssumptions {

    @Option(names = "--cores", description = "Of a server (default: ${DEFAULT-VALUE}).")
    double cores = 16;

    @Option(names = "--density-tb", description = "Files of a server (default: ${DEFAULT-VALUE}).")
    double densityTb = 1;

    @Option(names = "--fill", description = "Share of a disk that is full (default: ${DEFAULT-VALUE}).")
    double fill = 0.6;

    @Option(names = "--utilisation", description = "Share of the cores busy at the peak (default: ${DEFAULT-VALUE}).")
    double utilisation = 0.5;

    @Option(names = "--read-share", description = "Of gets among requests (default: ${DEFAULT-VALUE}).")
    double readShare = 0.5;

    @Option(names = "--core-hour", description = "Price of a core for an hour (default: ${DEFAULT-VALUE}).")
    double coreHour = 0.04;

    @Option(names = "--gb-month", description = "Price of a GB of disk for a month (default: ${DEFAULT-VALUE}).")
    double gbMonth = 0.08;

    @Option(names = "--partition-mb", description = "Of a bucket (default: ${DEFAULT-VALUE}).")
    double partitionMb = 100;

    @Option(names = "--stream-mb", description = "MB/s of a server that repairs (default: ${DEFAULT-VALUE}).")
    double streamMb = 50;

    @Option(names = "--gateway-cores", description = "Of a gateway (default: ${DEFAULT-VALUE}).")
    double gatewayCores = 8;

    String text(int replicas) {
        return String.format(
                Locale.ROOT,
                "Assumed: R = %d replicas, %.0f %% gets, servers with %.0f cores and %s TB of files on a disk that is"
                        + " filled to %.0f %%, u = %.0f %% of the cores busy at the peak, gateways of %.0f cores, %s"
                        + " for a core and hour, %s for a GB and month (an example, in any currency), partitions of"
                        + " %.0f MB, repair at %.0f MB/s a server.",
                replicas,
                readShare * 100,
                cores,
                plain(densityTb),
                fill * 100,
                utilisation * 100,
                gatewayCores,
                plain(coreHour),
                plain(gbMonth),
                partitionMb,
                streamMb);
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
