// What libraries of Rust do with the port that is given. A line for each: its name, what came of it.
use redis::{Commands, RedisResult, Script};

fn check<T: PartialEq + std::fmt::Debug>(actual: T, expected: T) {
    assert!(actual == expected, "{actual:?} instead of {expected:?}");
}

fn redis_rs(port: &str) -> RedisResult<()> {
    let client = redis::Client::open(format!("redis://127.0.0.1:{port}/0"))?;
    let mut connection = client.get_connection()?;
    let _: () = connection.set_ex("rust:k", "v", 60)?;
    check(connection.get::<_, String>("rust:k")?, "v".to_string());
    check(connection.get::<_, Option<String>>("rust:missing")?, None);
    let (n,): (i64,) = redis::pipe()
        .atomic()
        .set("rust:n", 1)
        .ignore()
        .incr("rust:n", 1)
        .query(&mut connection)?;
    check(n, 2);
    let (doubled,): (i64,) = redis::transaction(&mut connection, &["rust:n"], |connection, pipe| {
        let n: i64 = connection.get("rust:n")?;
        pipe.incr("rust:n", n).query(connection)
    })?;
    check(doubled, 4);
    let script = Script::new("return redis.call('INCRBY', KEYS[1], ARGV[1])");
    check(script.key("rust:n").arg(10).invoke::<i64>(&mut connection)?, 14);
    let mut found: Vec<String> = connection.scan_match::<_, String>("rust:*")?.collect::<RedisResult<_>>()?;
    found.sort();
    check(found, vec!["rust:k".to_string(), "rust:n".to_string()]);
    check(connection.unlink::<_, i64>(&["rust:k", "rust:n"])?, 2);
    Ok(())
}

fn main() {
    let port = std::env::args().nth(1).expect("a port");
    let outcome = match redis_rs(&port) {
        Ok(()) => "runs".to_string(),
        Err(e) => format!("fails: {e}"),
    };
    println!("redis-rs | redis 1.8.1 | {outcome}");
}
