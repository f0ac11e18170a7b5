"""What libraries of Python do with the port that is given. A line for each: its name, what came of it."""

import os
import re
import socket
import sys
import threading
import time
from importlib.metadata import version

port = int(sys.argv[1])
url = f"redis://127.0.0.1:{port}/0"
socket.setdefaulttimeout(20)


def check(actual, expected):
    if actual != expected:
        raise AssertionError(f"{actual!r} instead of {expected!r}")


def redis_py_pipeline():
    import redis

    client = redis.Redis(port=port)
    with client.pipeline() as pipe:
        check(pipe.set("py:a", 1).incr("py:a").get("py:a").execute(), [True, 2, b"2"])

    def twice(pipe):
        value = int(pipe.get("py:a"))
        pipe.multi()
        pipe.set("py:a", value * 2)

    client.transaction(twice, "py:a")
    check(client.get("py:a"), b"4")


def redis_py_lock():
    import redis

    client = redis.Redis(port=port)
    counted = []

    def count():
        for _ in range(20):
            with client.lock("py:lock", timeout=10, sleep=0.001):
                seen = len(counted)
                time.sleep(0)
                counted.append(seen)

    threads = [threading.Thread(target=count) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    check(counted, list(range(80)))
    lock = client.lock("py:lock", timeout=10)
    check(lock.acquire(blocking=False), True)
    check(client.lock("py:lock").acquire(blocking=False), False)
    check(lock.extend(10), True)
    check(lock.reacquire(), True)
    lock.release()
    check(client.exists("py:lock"), 0)


def configure_django():
    from django.conf import settings

    settings.configure(
        CACHES={
            "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": url},
            "django-redis": {"BACKEND": "django_redis.cache.RedisCache", "LOCATION": url, "KEY_PREFIX": "dr"},
        },
        SESSION_ENGINE="django.contrib.sessions.backends.cache",
    )


def a_cache_of_django(cache):
    cache.set("k", {"a": [1, 2]}, 60)
    check(cache.get("k"), {"a": [1, 2]})
    check(cache.add("k", 1), False)
    cache.set_many({"m1": 1, "m2": 2}, 60)
    check(cache.get_many(["m1", "m2", "m3"]), {"m1": 1, "m2": 2})
    check(cache.incr("m1", 5), 6)
    check(cache.touch("m2", 100), True)
    check(cache.has_key("m2"), True)
    check(cache.get_or_set("g", lambda: 7), 7)
    cache.delete_many(["m1", "m2"])
    check(cache.get("m1"), None)
    check(cache.delete("k"), True)


def django_cache():
    from django.core.cache import caches

    a_cache_of_django(caches["default"])


def django_cache_clear():
    from django.core.cache import caches

    caches["default"].set("c", 1)
    caches["default"].clear()
    check(caches["default"].get("c"), None)


def django_sessions():
    from django.contrib.sessions.backends.cache import SessionStore

    session = SessionStore()
    session["user"] = 42
    session.save()
    again = SessionStore(session.session_key)
    check(again["user"], 42)
    again.cycle_key()
    again.flush()
    check(SessionStore(session.session_key).get("user"), None)


def django_redis():
    from django.core.cache import caches

    cache = caches["django-redis"]
    a_cache_of_django(cache)
    check(cache.ttl("g") > 0, True)
    check(cache.delete_pattern("g*"), 1)
    check(cache.keys("*"), [])
    with cache.lock("l", timeout=5):
        pass


def flask_session():
    import flask
    import flask_session
    import redis

    app = flask.Flask("app")
    app.config.update(SESSION_TYPE="redis", SESSION_REDIS=redis.from_url(url), SECRET_KEY="s")
    flask_session.Session(app)

    @app.route("/")
    def count():
        flask.session["n"] = flask.session.get("n", 0) + 1
        return str(flask.session["n"])

    client = app.test_client()
    check([client.get("/").text for _ in range(3)], ["1", "2", "3"])


def limits_with(strategy, name):
    import limits
    from limits import storage, strategies

    limiter = getattr(strategies, strategy)(storage.storage_from_string(url))
    item = limits.parse("5/minute")
    check([limiter.hit(item, name) for _ in range(7)], [True] * 5 + [False] * 2)
    check(limiter.get_window_stats(item, name).remaining, 0)


def celery_results():
    import celery

    app = celery.Celery("app", broker="memory://", backend=url)
    backend = app.backend
    backend.store_result("task-1", {"sum": 3}, "SUCCESS")
    check(backend.get_result("task-1"), {"sum": 3})
    backend.forget("task-1")
    check(backend.get_state("task-1"), "PENDING")


def celery_wait():
    import celery

    app = celery.Celery("app", broker="memory://", backend=url)
    app.backend.store_result("task-2", 7, "SUCCESS")
    check(app.AsyncResult("task-2").get(timeout=5), 7)


def rq_queue():
    import redis
    import rq

    rq.Queue(connection=redis.Redis(port=port)).enqueue(len, "abc")


def dogpile():
    import dogpile.cache

    region = dogpile.cache.make_region().configure(
        "dogpile.cache.redis",
        arguments={"url": url, "redis_expiration_time": 60, "distributed_lock": True, "thread_local_lock": False},
    )
    made = []
    check([region.get_or_create("dogpile:k", lambda: made.append(1) or 9) for _ in range(3)], [9, 9, 9])
    check(len(made), 1)
    region.set_multi({"dogpile:a": 1, "dogpile:b": 2})
    check(region.get_multi(["dogpile:a", "dogpile:b"]), [1, 2])
    region.delete_multi(["dogpile:a", "dogpile:b", "dogpile:k"])
    check(region.get("dogpile:a").__class__.__name__, "NoValue")


def run(name, package, what):
    began = time.monotonic()
    try:
        what()
        result = "runs"
    except BaseException as e:
        cause = e
        while cause.__cause__ is not None:
            cause = cause.__cause__
        said = (str(cause) or type(cause).__name__).split("\n")[0].replace(str(port), "PORT")
        said = re.sub(r"^Command # .* caused error: |, with args .*| script: [0-9a-f]{40}.*", "", said)
        result = "fails: " + said[:120]
    if os.environ.get("SHOW_TIME"):
        result += f" ({time.monotonic() - began:.1f} s)"
    print(f"{name} | {package} {version(package)} | {result}", flush=True)


configure_django()
run("redis-py: pipeline, transaction", "redis", redis_py_pipeline)
run("redis-py: Lock", "redis", redis_py_lock)
run("Django: cache", "Django", django_cache)
run("Django: cache.clear", "Django", django_cache_clear)
run("Django: sessions", "Django", django_sessions)
run("django-redis", "django-redis", django_redis)
run("Flask-Session", "Flask-Session", flask_session)
run("limits: fixed window", "limits", lambda: limits_with("FixedWindowRateLimiter", "f"))
run("limits: sliding window counter", "limits", lambda: limits_with("SlidingWindowCounterRateLimiter", "s"))
run("limits: moving window", "limits", lambda: limits_with("MovingWindowRateLimiter", "m"))
run("Celery: results", "celery", celery_results)
run("Celery: waiting for a result", "celery", celery_wait)
run("rq", "rq", rq_queue)
run("dogpile.cache", "dogpile.cache", dogpile)
