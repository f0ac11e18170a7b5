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
        (lambda: client.eval("return 1", 0), "scripts are not supported"),
        (client.register_script("return 1"), "scripts are not supported"),
    ):
        check(refusal(command).startswith(begin), True)
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
    for i in range(3):
        pipe = client.pipeline()
        pipe.incr("counter")
        pipe.set("beside", 1)
        check(pipe.execute(), [i + 1, True])
        check(client.mget("counter", "beside"), [str(i + 1).encode(), b"1"])
    pipe = client.pipeline()
    pipe.set("counter", 9)
    pipe.hset("h", "f", "v")
    try:
        pipe.execute()
        raise AssertionError("a transaction with a command that is unknown")
    except redis.ResponseError:
        check(client.get("counter"), b"3")
    other = redis.Redis(port=port, protocol=protocol)
    with client.pipeline() as pipe:
        pipe.watch("counter")
        other.set("counter", 5)
        pipe.multi()
        pipe.set("counter", 7)
        try:
            pipe.execute()
            raise AssertionError("a watched key had changed")
        except redis.WatchError:
            pass
    check(client.get("counter"), b"5")
    check(client.transaction(lambda pipe: (pipe.get("counter"), pipe.multi(), pipe.incr("counter")), "counter"), [6])
    check(client.unlink("counter", "beside"), 2)
    other.close()
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
count(int(sys.argv[1]))
print("ok")
