/*
 * Another clock for one process. Preloaded (LD_PRELOAD=skew.so), this stands between the process and the C library, and tells
 * clocks as the file named by SKEW_FILE says; other processes and the machine's clock are left alone. The file is mapped,
 * so that a change of it counts at once, and it may be changed while processes use it: compiled with -DWRITER, this is the
 * command that does so.
 *
 *   monotonic' = monotonic + gained, where gained grows by `drift` since `since`
 *   wall'      = wall + gained + `wall`, and + `strobe` in every second `period`
 *
 * So the monotonic clock is never set, it only runs faster or slower, and never backwards.
 * A deadline is a time on the process's own clock: waits until a deadline are converted. Waits for a duration (epoll_wait, nanosleep)
 * last as long as they say by the true clock.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL

struct skew {
  volatile uint64_t version; /* odd while it is being changed */
  int64_t wall, strobe, period, drift, since, gained; /* nanoseconds; drift in 1e-9 */
};

static int64_t nanos(struct timespec t) { return t.tv_sec * SECOND + t.tv_nsec; }

static int64_t gained(const struct skew *s, int64_t monotonic) {
  return s->gained + (int64_t)((__int128)(monotonic - s->since) * s->drift / SECOND);
}

#ifndef WRITER

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static const struct skew *shared;
static int (*clock_true)(clockid_t, struct timespec *);
static int (*cond_true)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
static int (*cond_clock_true)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
static int (*sem_true)(sem_t *, const struct timespec *);
static int (*sleep_true)(clockid_t, int, const struct timespec *, struct timespec *);

__attribute__((constructor)) static void prepare(void) {
  if (clock_true) return;
  cond_true = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  cond_clock_true = dlsym(RTLD_NEXT, "pthread_cond_clockwait");
  sem_true = dlsym(RTLD_NEXT, "sem_timedwait");
  sleep_true = dlsym(RTLD_NEXT, "clock_nanosleep");
  const char *path = getenv("SKEW_FILE");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file >= 0) {
    void *mapped = mmap(NULL, sizeof(struct skew), PROT_READ, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) shared = mapped;
    close(file);
  }
  clock_true = dlsym(RTLD_NEXT, "clock_gettime");
}

static struct skew now_skewed(void) {
  struct skew copy;
  uint64_t before;
  do {
    before = __atomic_load_n(&shared->version, __ATOMIC_ACQUIRE);
    memcpy(&copy, (const void *)shared, sizeof copy);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
  } while ((before & 1) || before != shared->version);
  return copy;
}

static int is_wall(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE; }

static int is_monotonic(clockid_t clock) {
  return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_BOOTTIME;
}

/* What is added to a clock whose true time is given. */
static int64_t offset(const struct skew *s, clockid_t clock, int64_t at) {
  if (!is_wall(clock)) return gained(s, at);
  struct timespec t;
  clock_true(CLOCK_MONOTONIC, &t);
  int strobed = s->period > 0 && nanos(t) / s->period % 2;
  return s->wall + gained(s, nanos(t)) + (strobed ? s->strobe : 0);
}

int clock_gettime(clockid_t clock, struct timespec *t) {
  if (!clock_true) prepare();
  int failed = clock_true(clock, t);
  if (failed || !shared || !(is_wall(clock) || is_monotonic(clock))) return failed;
  struct skew s = now_skewed();
  int64_t skewed = nanos(*t) + offset(&s, clock, nanos(*t));
  t->tv_sec = skewed / SECOND;
  t->tv_nsec = skewed % SECOND;
  return 0;
}

int gettimeofday(struct timeval *restrict tv, void *restrict zone) {
  (void)zone;
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  tv->tv_sec = t.tv_sec;
  tv->tv_usec = t.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *result) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  if (result) *result = t.tv_sec;
  return t.tv_sec;
}

int timespec_get(struct timespec *t, int base) { return base == TIME_UTC && !clock_gettime(CLOCK_REALTIME, t) ? base : 0; }

/* The true time at which the process's own clock will show the deadline. */
static struct timespec truly(clockid_t clock, const struct timespec *deadline) {
  if (!clock_true) prepare();
  if (!shared || !(is_wall(clock) || is_monotonic(clock))) return *deadline;
  struct skew s = now_skewed();
  struct timespec t;
  clock_true(clock, &t);
  int64_t now = nanos(t), left = nanos(*deadline) - now - offset(&s, clock, now);
  int64_t at = now + (int64_t)((__int128)left * SECOND / (SECOND + s.drift));
  if (at < 0) at = 0;
  return (struct timespec){at / SECOND, at % SECOND};
}

/* A condition variable does not tell its clock: a deadline in the first thirty years counts from the start of the machine. */
int pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex, const struct timespec *restrict deadline) {
  struct timespec t = truly(deadline->tv_sec < SECOND ? CLOCK_MONOTONIC : CLOCK_REALTIME, deadline);
  return cond_true(cond, mutex, &t);
}

int pthread_cond_clockwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex, clockid_t clock,
                           const struct timespec *restrict deadline) {
  struct timespec t = truly(clock, deadline);
  return cond_clock_true(cond, mutex, clock, &t);
}

int sem_timedwait(sem_t *restrict sem, const struct timespec *restrict deadline) {
  struct timespec t = truly(CLOCK_REALTIME, deadline);
  return sem_true(sem, &t);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *asked, struct timespec *left) {
  if (!(flags & TIMER_ABSTIME)) {
    if (!clock_true) prepare();
    return sleep_true(clock, flags, asked, left);
  }
  struct timespec t = truly(clock, asked);
  return sleep_true(clock, flags, &t, left);
}

#else

static int usage(void) {
  fputs("skew FILE jump SECONDS | strobe SECONDS MILLIS | rate FACTOR (0.1 to 10) | right\n", stderr);
  return 2;
}

/* False if the text is no number within the limits. */
static int number(const char *text, double least, double most, double *result) {
  char *end;
  *result = strtod(text, &end);
  return end != text && *end == 0 && *result >= least && *result <= most;
}

int main(int count, char **arguments) {
  double seconds = 0, millis = 0, rate = 1;
  const char *what = count > 2 ? arguments[2] : "";
  int jump = count == 4 && !strcmp(what, "jump") && number(arguments[3], -1e6, 1e6, &seconds);
  int strobe = count == 5 && !strcmp(what, "strobe") && number(arguments[3], -1e6, 1e6, &seconds)
      && number(arguments[4], 1, 1e6, &millis);
  int drift = count == 4 && !strcmp(what, "rate") && number(arguments[3], 0.1, 10, &rate);
  int right = count == 3 && !strcmp(what, "right");
  if (!(jump || strobe || drift || right)) return usage();

  int file = open(arguments[1], O_RDWR | O_CREAT, 0644);
  if (file < 0 || ftruncate(file, sizeof(struct skew))) {
    perror(arguments[1]);
    return 1;
  }
  struct skew *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (s == MAP_FAILED) {
    perror(arguments[1]);
    return 1;
  }
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  s->version |= 1; /* also if an earlier writer died half-way */
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  s->gained = gained(s, nanos(t));
  s->since = nanos(t);
  if (!drift) {
    s->wall = (jump ? (int64_t)(seconds * SECOND) : 0) - s->gained;
    s->strobe = strobe ? (int64_t)(seconds * SECOND) : 0;
    s->period = strobe ? (int64_t)(millis * 1e6) : 0;
  }
  if (drift || right) s->drift = (int64_t)((rate - 1) * SECOND);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  s->version++;
  return 0;
}

#endif
