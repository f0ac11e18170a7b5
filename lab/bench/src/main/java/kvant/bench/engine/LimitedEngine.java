package kvant.bench.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Scanner;
import java.util.SplittableRandom;
import kvant.engine.Durability;
import kvant.load.keys.SplitMix64;
import kvant.load.keys.Zipfian;
import kvant.lsm.LsmOptions;
import kvant.text.UserException;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/// An engine in a process and a memory cgroup of its own. Each line to its stdin is a job, `fill KEYS` or `WORK KEYS
/// SECONDS`; the answer is a line with operations per second and p99 in microseconds.
///
/// A quarter of the memory is heap. RocksDB gets a third for its block cache, as its documentation advises; the
/// LSM engine an eighth for indexes and filters, because its blocks are pages of mapped files.
record LimitedEngine(String name, Process process, BufferedReader answers, Path group) implements AutoCloseable {

    private static final int THREADS = 2;
    private static final int HEAP_SHARE = 4;
    private static final int ROCKSDB_CACHE_SHARE = 3;
    private static final int KVANT_CACHE_SHARE = 8;
    private static final int PUTS_IN = 10;

    static LimitedEngine start(String name, Path folder, long memoryBytes) throws IOException {
        Path group = group("kvant-bench-" + ProcessHandle.current().pid() + "-" + name, memoryBytes);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + memoryBytes / HEAP_SHARE,
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LimitedEngine.class.getName(),
                        name,
                        folder.toString(),
                        Long.toString(memoryBytes))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Files.writeString(group.resolve("cgroup.procs"), Long.toString(process.pid()));
        return new LimitedEngine(name, process, process.inputReader(StandardCharsets.UTF_8), group);
    }

    private static Path group(String name, long memoryBytes) throws IOException {
        Path one = Path.of("/sys/fs/cgroup");
        Path first = one.resolve("memory");
        Path group = (Files.isDirectory(first) ? first : one).resolve(name);
        String limit = Files.isDirectory(first) ? "memory.limit_in_bytes" : "memory.max";
        try {
            Files.createDirectory(group);
            Files.writeString(group.resolve(limit), Long.toString(memoryBytes));
        } catch (IOException e) {
            throw new UserException("cannot make the memory cgroup " + group + ": " + e.getMessage()
                    + " (this needs root and a writable cgroup file system)");
        }
        return group;
    }

    MemoryBench.Slice ask(String job) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).append(job).append('\n').flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new UserException("the process of " + name + " ended at '" + job + "'; its message is above");
        }
        try (Scanner figures = new Scanner(answer)) {
            return new MemoryBench.Slice(Double.parseDouble(figures.next()), Double.parseDouble(figures.next()));
        }
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        Files.deleteIfExists(group);
    }

    /// The process. Its arguments are name, folder and memory.
    public static void main(String[] args) throws Exception {
        long memoryBytes = Long.parseLong(args[2]);
        try (Scanner jobs = new Scanner(System.in, StandardCharsets.UTF_8)) {
            if (!jobs.hasNextLine()) {
                return;
            }
            String job = jobs.nextLine(); // comes when this process is in its group
            Path folder = Files.createDirectories(Path.of(args[1]));
            try (Contender contender = open(args[0], folder, memoryBytes)) {
                while (true) {
                    System.out.println(done(contender, job.split(" ")));
                    if (!jobs.hasNextLine()) {
                        return;
                    }
                    job = jobs.nextLine();
                }
            }
        }
    }

    private static Contender open(String name, Path folder, long memoryBytes) {
        LsmOptions options = KvantContender.patient(LsmOptions.defaults().withDurability(Durability.NONE))
                .with(o -> o.table = o.table.withCache(memoryBytes / KVANT_CACHE_SHARE));
        return name.equals("kvant")
                ? KvantContender.filling(folder, options, MemoryBench.VALUE_BYTES)
                : RocksDbContender.open(folder, memoryBytes / ROCKSDB_CACHE_SHARE, options.memtableBytes());
    }

    private static String done(Contender contender, String[] job) {
        Dataset data = Dataset.of(Long.parseLong(job[1]), MemoryBench.VALUE_BYTES);
        long begin = System.nanoTime();
        if (job[0].equals("fill")) {
            data.fill(contender);
            return data.keys() * 1e9 / (System.nanoTime() - begin) + " 0";
        }
        long nanos = (long) (Double.parseDouble(job[2]) * 1e9);
        Histogram latencies = new ConcurrentHistogram(3);
        EngineWorkload.threads(THREADS, () -> work(contender, data, job[0], begin + nanos, latencies));
        contender.settle();
        return latencies.getTotalCount() * 1e9 / (System.nanoTime() - begin) + " "
                + latencies.getValueAtPercentile(99) / 1e3;
    }

    private static void work(Contender contender, Dataset data, String work, long endNanos, Histogram latencies) {
        SplitMix64 ranks = new SplitMix64(Dataset.newRandom().nextLong());
        SplittableRandom random = new SplittableRandom(ranks.nextLong());
        Zipfian zipfian = new Zipfian(data.keys(), Zipfian.YCSB_THETA);
        boolean skewed = work.equals("zipfian");
        while (System.nanoTime() < endNanos) {
            byte[] key = Keys.key(skewed ? zipfian.next(ranks) : random.nextLong(data.keys()));
            long start = System.nanoTime();
            if (work.equals("mixed") && random.nextInt(PUTS_IN) == 0) {
                contender.put(key, data.value(random));
            } else if (!contender.get(key)) {
                throw new IllegalStateException(contender.name() + " has lost a key");
            }
            latencies.recordValue(System.nanoTime() - start);
        }
    }
}
