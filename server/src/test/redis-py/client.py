"""What a program with redis-py does, against the port that is given; prints "ok" at the end."""

import sys
import threading

import redis


def check(actual, expected):
    if actual != expected:
        raise AssertionError(f"{actual!r} instead of {expected!r}")


def talk(port, protocol):
    client = redis.Redis(port=port, protocol=protocol)
    check(client.ping(), True)
    check(client.set("k", b"\x00\r\n\xff"), True)
    check(client.get("k"), b"\x00\r\n\xff")
    check(client.get("missing"), None)
    check(client.set("k", "again", nx=True), None)
    check(client.set("k", "new", get=True), b"\x00\r\n\xff")
    check(client.setex("old", 100, "1"), True)
    check(client.psetex("old", 60000, "2"), True)
    check(client.ttl("old"), 60)
    check(client.setnx("old", "3"), False)
    check(client.getset("old", "4"), b"2")
    check(client.ttl("old"), -1)
    check(client.getex("old", ex=100), b"4")
    check(client.getex("old", persist=True), b"4")
    check(client.getdel("old"), b"4")
    check(client.getdel("old"), None)
    check(client.mset({"a": "1", "b": "2"}), True)
    check(client.mget("a", "b", "missing"), [b"1", b"2", None])
    check(client.exists("a", "b", "missing"), 2)
    check(client.strlen("a"), 1)
    check(client.expire("a", 100), True)
    check(client.ttl("a") in (99, 100), True)
    check(client.persist("a"), True)
    check(client.ttl("a"), -1)
    check(client.ttl("missing"), -2)
    check(client.incr("n"), 1)
    check(client.incrby("n", 10), 11)
    check(client.decr("n"), 10)
    check(sorted(client.scan_iter(match="?", count=2)), [b"a", b"b", b"k", b"n"])
    check(client.client_setname("tester"), True)
    check(client.client_getname() in ("tester", b"tester"), True)
    check(client.client_list()[0]["name"], "tester")
    check(client.info("server")["server_name"], "kvant")
    pipe = client.pipeline(transaction=False)
    for i in range(1000):
        pipe.set(f"p{i}", i)
    for i in range(1000):
        pipe.get(f"p{i}")
    replies = pipe.execute()
    check(replies[:1000], [True] * 1000)
    check(replies[1000:], [str(i).encode() for i in range(1000)])
    check(client.delete(*[f"p{i}" for i in range(1000)]), 1000)
    check(client.delete("k", "a", "b", "n", "missing"), 4)
    for command, begin in (
        (lambda: client.hset("h", "f", "v"), "unknown command"),
        (lambda: client.lpush("l", "v"), "unknown command"),
        (lambda: client.eval("return redis.call('GET', 'k')", 0), "Script attempted to access a non local key"),
    ):
        check(refusal(command).startswith(begin), True)
    check(client.flushall(), True)
    client.close()


def lock(port, protocol):
    """Locks are scripts that are found by their SHA-1."""
    client = redis.Redis(port=port, protocol=protocol)
    check(client.script_flush(), True)
    held = client.lock("lock", timeout=10)
    check(held.acquire(blocking=False), True)
    check(client.lock("lock").acquire(blocking=False), False)
    check(held.extend(10), True)
    check(9 < client.pttl("lock") / 1000 <= 20, True)
    held.release()
    check(client.exists("lock"), 0)
    check(client.register_script("return {KEYS[1], ARGV[1]}")(keys=["a"], args=[1]), [b"a", b"1"])
    client.close()


def refusal(command):
    try:
        result = command()
    except redis.ResponseError as e:
        return str(e)
    raise AssertionError(f"{result!r} instead of an error")


def transact(port, protocol):
    """A pipeline is a transaction unless its caller says otherwise."""
    client = redis.Redis(port=port, protocol=protocol, max_connections=1)
    client.set("counter", 0)
    for _ in range(3):
        pipe = client.pipeline()
        pipe.incr("counter")
        pipe.set("beside", 1)
        check(pipe.execute()[1], True)
    check(client.mget("counter", "beside"), [b"3", b"1"])
    with client.pipeline() as pipe:
        pipe.watch("counter")
        redis.Redis(port=port).incr("counter")  # the only connection of the other one is busy
        pipe.multi()
        pipe.set("beside", 2)
        try:
            pipe.execute()
            raise AssertionError("a watched key has changed")
        except redis.WatchError:
            pass
    check(client.mget("counter", "beside"), [b"4", b"1"])
    check(client.delete("counter", "beside"), 2)
    client.close()


def count(port):
    def one():
        client = redis.Redis(port=port)
        for _ in range(50):
            client.incr("together")
        client.close()

    threads = [threading.Thread(target=one) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    client = redis.Redis(port=port)
    check(client.get("together"), b"400")
    client.delete("together")
    client.close()


talk(int(sys.argv[1]), 2)
talk(int(sys.argv[1]), 3)
transact(int(sys.argv[1]), 2)
transact(int(sys.argv[1]), 3)
lock(int(sys.argv[1]), 2)
lock(int(sys.argv[1]), 3)
count(int(sys.argv[1]))
print("ok")
