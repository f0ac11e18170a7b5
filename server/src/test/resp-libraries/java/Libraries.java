import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.net.URL;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.springframework.cache.Cache;
import org.springframework.data.redis.cache.RedisCacheConfiguration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.cache.RedisCacheWriter;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Transaction;
import redis.clients.jedis.params.SetParams;

/// Tries libraries of Java with the port that is given. Prints a line for each: its name, version and result.
final class Libraries {

    private static int port;

    interface What {
        void run() throws Exception;
    }

    static void check(Object actual, Object expected) {
        if (!String.valueOf(actual).equals(String.valueOf(expected))) {
            throw new AssertionError(actual + " instead of " + expected);
        }
    }

    static void lettuce() {
        RedisClient client = RedisClient.create("redis://127.0.0.1:" + port);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            RedisCommands<String, String> redis = connection.sync();
            redis.set("le:k", "v", SetArgs.Builder.nx().px(60000));
            check(redis.get("le:k"), "v");
            redis.multi();
            redis.incr("le:n");
            redis.incr("le:n");
            TransactionResult done = redis.exec();
            check(List.of(done.get(0), done.get(1)), "[1, 2]");
            String script = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1])"
                    + " else return 0 end";
            Long one = redis.eval(script, ScriptOutputType.INTEGER, new String[] {"le:k"}, "v");
            check(one, 1);
            check(redis.evalsha(redis.digest(script), ScriptOutputType.INTEGER, new String[] {"le:k"}, "v"), 0);
            check(redis.unlink("le:n"), 1);
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    static void jedis() {
        try (Jedis jedis = new Jedis("127.0.0.1", port)) {
            jedis.set("je:k", "v", SetParams.setParams().nx().ex(60));
            check(jedis.get("je:k"), "v");
            jedis.watch("je:k");
            Transaction transaction = jedis.multi();
            transaction.set("je:k", "w");
            transaction.get("je:k");
            check(transaction.exec(), "[OK, w]");
            check(jedis.eval("return redis.call('INCR', KEYS[1])", List.of("je:n"), List.of()), 1);
            check(jedis.unlink("je:k", "je:n"), 2);
            check(jedis.type("je:k"), "none");
        }
    }

    static RedissonClient redisson() {
        Config config = new Config().setCodec(StringCodec.INSTANCE);
        config.useSingleServer()
                .setAddress("redis://127.0.0.1:" + port)
                .setConnectionMinimumIdleSize(1)
                .setConnectionPoolSize(4)
                .setSubscriptionConnectionMinimumIdleSize(0)
                .setTimeout(3000)
                .setRetryAttempts(1);
        return Redisson.create(config);
    }

    static void redissonObjects() {
        RedissonClient client = redisson();
        try {
            client.getBucket("rs:b").set("v", Duration.ofMinutes(1));
            check(client.getBucket("rs:b").get(), "v");
            check(client.getBucket("rs:b").compareAndSet("v", "w"), true);
            check(client.getBucket("rs:b").compareAndSet("v", "x"), false);
            check(client.getAtomicLong("rs:n").addAndGet(5), 5);
            check(client.getAtomicLong("rs:n").compareAndSet(5, 9), true);
            check(client.getAtomicDouble("rs:d").addAndGet(0.5), 0.5);
            client.getBuckets().set(Map.of("rs:x", "1", "rs:y", "2"));
            check(client.getBuckets().get("rs:x", "rs:y").size(), 2);
            check(client.getKeys().delete("rs:b", "rs:n", "rs:x", "rs:y"), 4);
        } finally {
            client.shutdown();
        }
    }

    static void redissonLock() throws Exception {
        RedissonClient client = redisson();
        try {
            check(client.getLock("rs:lock").tryLock(0, 5, TimeUnit.SECONDS), true);
            client.getLock("rs:lock").unlock();
        } finally {
            client.shutdown();
        }
    }

    static void redissonMap() {
        RedissonClient client = redisson();
        try {
            client.getMap("rs:map").put("a", "b");
        } finally {
            client.shutdown();
        }
    }

    static LettuceConnectionFactory spring() {
        LettuceConnectionFactory factory = new LettuceConnectionFactory("127.0.0.1", port);
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    static void springCache() {
        LettuceConnectionFactory factory = spring();
        try {
            RedisCacheWriter atOnce = RedisCacheWriter.create(factory, writer -> writer.immediateWrites());
            RedisCacheManager manager = RedisCacheManager.builder(atOnce)
                    .cacheDefaults(RedisCacheConfiguration.defaultCacheConfig().entryTtl(Duration.ofMinutes(1)))
                    .build();
            Cache cache = manager.getCache("books");
            cache.put("a", "1");
            check(cache.get("a").get(), "1");
            check(cache.putIfAbsent("a", "2").get(), "1");
            check(cache.get("b", () -> "made"), "made");
            cache.evict("a");
            check(cache.get("a"), null);
            cache.clear();
            check(cache.get("b"), null);
        } finally {
            factory.destroy();
        }
    }

    static void springData() {
        LettuceConnectionFactory factory = spring();
        try {
            StringRedisTemplate template = new StringRedisTemplate(factory);
            template.opsForValue().set("sp:k", "v", Duration.ofMinutes(1));
            check(template.opsForValue().get("sp:k"), "v");
            check(template.opsForValue().increment("sp:n", 4), 4);
            check(template.hasKey("sp:k"), true);
            check(template.getExpire("sp:k") > 0, true);
            check(template.type("sp:k"), "STRING");
            RedisScript<Long> script = RedisScript.of("return redis.call('INCRBY', KEYS[1], ARGV[1])", Long.class);
            check(template.execute(script, List.of("sp:n"), "6"), 10);
            check(template.keys("sp:*").size(), 2);
            check(template.delete(List.of("sp:k", "sp:n")), 2);
            check(template.unlink("sp:k"), false);
        } finally {
            factory.destroy();
        }
    }

    /// The version stands in the name of the jar.
    static String version(Class<?> of, String library) {
        URL jar = of.getProtectionDomain().getCodeSource().getLocation();
        Matcher matcher = Pattern.compile(library + "-(\\d[^/]*?)(\\.RELEASE)?\\.jar").matcher(jar.getPath());
        return library + " " + (matcher.find() ? matcher.group(1) : "?");
    }

    static void run(String name, String library, Class<?> of, What what) {
        String result = "runs";
        try {
            what.run();
        } catch (Throwable e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            String message = String.valueOf(cause.getMessage())
                    .lines()
                    .findFirst()
                    .orElse("")
                    .replaceAll(" channel: .*| script: [0-9a-f]{40}.*", "");
            result = "fails: " + message.substring(0, Math.min(message.length(), 120)).strip();
        }
        System.out.println(name + " | " + version(of, library) + " | " + result);
    }

    public static void main(String... arguments) {
        port = Integer.parseInt(arguments[0]);
        run("Lettuce", "lettuce-core", RedisClient.class, Libraries::lettuce);
        run("Jedis", "jedis", Jedis.class, Libraries::jedis);
        run("Redisson: buckets, atomic numbers", "redisson", Redisson.class, Libraries::redissonObjects);
        run("Redisson: lock", "redisson", Redisson.class, Libraries::redissonLock);
        run("Redisson: map", "redisson", Redisson.class, Libraries::redissonMap);
        run("Spring Cache", "spring-data-redis", RedisCacheManager.class, Libraries::springCache);
        run("Spring Data Redis", "spring-data-redis", RedisCacheManager.class, Libraries::springData);
        System.exit(0);
    }
}
