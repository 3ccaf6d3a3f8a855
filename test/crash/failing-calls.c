// Counts a process's calls that change files below a folder, from any of its libraries, and makes one of them
// fail or kills the process in its place. Environment variables:
//   CALLS_BELOW   the folder
//   CALLS_LOG     a log file with one line per call: the call, a tab, the path
//   CALLS_FAIL_AT the number of the call, from 1; 0: none
//   CALLS_ERRNO   the error number; 0: SIGKILL
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_int calls;

static int log_file(void) {
  static atomic_int file = -2;
  if (file == -2) {
    const char *path = getenv("CALLS_LOG");
    file = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  }
  return file;
}

/* Returns whether this call must fail, and sets errno if so. */
static int fails(const char *does, const char *path) {
  const char *folder = getenv("CALLS_BELOW");
  if (!folder || !path || strncmp(path, folder, strlen(folder)) != 0) return 0;
  int call = atomic_fetch_add(&calls, 1) + 1;
  char line[PATH_MAX + 64];
  int length = snprintf(line, sizeof line, "%s\t%s\n", does, path);
  if (log_file() >= 0) syscall(SYS_write, log_file(), line, length);
  const char *at = getenv("CALLS_FAIL_AT");
  if (!at || call != atoi(at)) return 0;
  const char *number = getenv("CALLS_ERRNO");
  int code = number ? atoi(number) : 0;
  if (code == 0) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
  }
  errno = code;
  return 1;
}

static int fails_at(const char *does, int folder, const char *path) {
  char full[PATH_MAX], base[PATH_MAX], link[64];
  if (path && path[0] == '/') return fails(does, path);
  if (folder == AT_FDCWD) {
    if (!getcwd(base, sizeof base)) return 0;
  } else {
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, base, sizeof base - 1);
    if (length < 0) return 0;
    base[length] = 0;
  }
  snprintf(full, sizeof full, "%s/%s", base, path ? path : "");
  return fails(does, full);
}

static int fails_on(const char *does, int file) {
  char path[PATH_MAX], link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return fails(does, path);
}

/* The wrapped function, looked up once: some are called while threads or the process end, when dlsym is unsafe. */
#define REAL(name) \
  static __typeof__(&name) real_##name; \
  __attribute__((constructor)) static void find_##name(void) { \
    real_##name = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
  } \
  static __typeof__(&name) get_##name(void) { \
    if (!real_##name) find_##name(); \
    return real_##name; \
  }
#define ON_FILE(type, name, does, declared, passed) \
  REAL(name) \
  type name declared { return fails_on(does, file) ? -1 : get_##name() passed; }
#define ON_PATH(name, does, declared, passed) \
  REAL(name) \
  int name declared { return fails_at(does, AT_FDCWD, path) ? -1 : get_##name() passed; }
#define AT_PATH(name, does, declared, passed) \
  REAL(name) \
  int name declared { return fails_at(does, folder, path) ? -1 : get_##name() passed; }

ON_FILE(ssize_t, write, "write", (int file, const void *bytes, size_t size), (file, bytes, size))
ON_FILE(ssize_t, pwrite, "write", (int file, const void *bytes, size_t size, off_t at), (file, bytes, size, at))
ON_FILE(ssize_t, pwrite64, "write", (int file, const void *bytes, size_t size, off64_t at), (file, bytes, size, at))
ON_FILE(ssize_t, writev, "write", (int file, const struct iovec *parts, int count), (file, parts, count))
ON_FILE(ssize_t, pwritev, "write", (int file, const struct iovec *parts, int count, off_t at), (file, parts, count, at))
ON_FILE(ssize_t, pwritev64, "write", (int file, const struct iovec *parts, int count, off64_t at), (file, parts, count, at))
ON_FILE(ssize_t, sendfile64, "write", (int file, int from, off64_t *at, size_t size), (file, from, at, size))
ON_FILE(int, fsync, "sync", (int file), (file))
ON_FILE(int, fdatasync, "sync", (int file), (file))
ON_FILE(int, ftruncate, "truncate", (int file, off_t size), (file, size))
ON_FILE(int, ftruncate64, "truncate", (int file, off64_t size), (file, size))
ON_PATH(rename, "rename", (const char *path, const char *to), (path, to))
ON_PATH(link, "link", (const char *path, const char *to), (path, to))
ON_PATH(unlink, "remove", (const char *path), (path))
ON_PATH(rmdir, "remove", (const char *path), (path))
ON_PATH(mkdir, "make folder", (const char *path, mode_t mode), (path, mode))
AT_PATH(renameat, "rename", (int folder, const char *path, int other, const char *to), (folder, path, other, to))
AT_PATH(unlinkat, "remove", (int folder, const char *path, int flags), (folder, path, flags))
AT_PATH(mkdirat, "make folder", (int folder, const char *path, mode_t mode), (folder, path, mode))

REAL(symlink)
int symlink(const char *target, const char *path) {
  return fails_at("link", AT_FDCWD, path) ? -1 : get_symlink()(target, path);
}

/* Node copies files with a system call that has no libc function. */
REAL(syscall)
long syscall(long number, ...) {
  long passed[6];
  va_list rest;
  va_start(rest, number);
  for (int index = 0; index < 6; index++) passed[index] = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_copy_file_range && fails_on("write", (int)passed[2])) return -1;
  return get_syscall()(number, passed[0], passed[1], passed[2], passed[3], passed[4], passed[5]);
}

/* Opening is a change only if it creates or truncates a file. */
#define OPEN(name, declared, fail, pass) \
  REAL(name) \
  int name declared { \
    mode_t mode = 0; \
    if (flags & O_CREAT) { \
      va_list rest; \
      va_start(rest, flags); \
      mode = va_arg(rest, mode_t); \
      va_end(rest); \
    } \
    if ((flags & (O_CREAT | O_TRUNC)) && fail) return -1; \
    return get_##name() pass; \
  }

OPEN(open, (const char *path, int flags, ...), fails_at("open", AT_FDCWD, path), (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), fails_at("open", AT_FDCWD, path), (path, flags, mode))
OPEN(openat, (int folder, const char *path, int flags, ...), fails_at("open", folder, path), (folder, path, flags, mode))
OPEN(openat64, (int folder, const char *path, int flags, ...), fails_at("open", folder, path), (folder, path, flags, mode))
