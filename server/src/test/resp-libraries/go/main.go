// What libraries of Go do with the port that is given. A line for each: its name, what came of it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/redis/go-redis/v9"
)

var ctx, _ = context.WithTimeout(context.Background(), 60*time.Second)

func check(actual, expected any) {
	if fmt.Sprint(actual) != fmt.Sprint(expected) {
		panic(fmt.Errorf("%v instead of %v", actual, expected))
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func goRedis(client *redis.Client) {
	must(client.Set(ctx, "go:k", "v", time.Minute).Result())
	check(must(client.Get(ctx, "go:k").Result()), "v")
	_, err := client.Get(ctx, "go:missing").Result()
	check(errors.Is(err, redis.Nil), true)
	var n *redis.IntCmd
	must(client.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
		pipe.Set(ctx, "go:n", 1, 0)
		n = pipe.Incr(ctx, "go:n")
		return nil
	}))
	check(n.Val(), 2)
	err = client.Watch(ctx, func(tx *redis.Tx) error {
		client.Incr(ctx, "go:n")
		_, err := tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error { return pipe.Incr(ctx, "go:n").Err() })
		return err
	}, "go:n")
	check(errors.Is(err, redis.TxFailedErr), true)
	script := redis.NewScript(`return redis.call("INCRBY", KEYS[1], ARGV[1])`)
	check(must(script.Run(ctx, client, []string{"go:n"}, 10).Int()), 13)
	check(must(client.Unlink(ctx, "go:n", "go:k").Result()), 2)
}

func goRedsync(client *redis.Client) {
	locks := redsync.New(goredis.NewPool(client))
	inside, done := 0, 0
	var group sync.WaitGroup
	for range 10 {
		group.Go(func() {
			mutex := locks.NewMutex("go:mutex", redsync.WithRetryDelay(5*time.Millisecond), redsync.WithTries(1000))
			if mutex.Lock() != nil {
				return
			}
			inside++
			if inside == 1 {
				done++
			}
			inside--
			_, _ = mutex.Unlock()
		})
	}
	group.Wait()
	check(done, 10)
	mutex := locks.NewMutex("go:mutex")
	check(mutex.Lock(), nil)
	check(must(mutex.Extend()), true)
	check(must(mutex.Unlock()), true)
}

func redisRate(client *redis.Client) {
	limiter := redis_rate.NewLimiter(client)
	allowed := 0
	for range 8 {
		allowed += must(limiter.Allow(ctx, "go:rate", redis_rate.PerMinute(5))).Allowed
	}
	check(allowed, 5)
	check(must(limiter.AllowAtMost(ctx, "go:most", redis_rate.PerMinute(5), 9)).Allowed, 5)
	check(limiter.Reset(ctx, "go:rate"), nil)
}

func version(path string) string {
	info, _ := debug.ReadBuildInfo()
	for _, dependency := range info.Deps {
		if dependency.Path == path {
			return strings.TrimPrefix(dependency.Version, "v")
		}
	}
	return "?"
}

func run(name, library, path string, what func(*redis.Client)) {
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + os.Args[1], MaxRetries: -1})
	defer client.Close()
	defer func() {
		result := "runs"
		if failure := recover(); failure != nil {
			result = "fails: " + strings.SplitN(fmt.Sprint(failure), "\n", 2)[0]
		}
		fmt.Printf("%s | %s %s | %s\n", name, library, version(path), result)
	}()
	what(client)
}

func main() {
	run("go-redis", "go-redis", "github.com/redis/go-redis/v9", goRedis)
	run("redsync", "redsync", "github.com/go-redsync/redsync/v4", goRedsync)
	run("redis_rate", "redis_rate", "github.com/go-redis/redis_rate/v10", redisRate)
}
