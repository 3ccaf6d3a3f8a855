// Simulates a file system without locks, like some network drives: every lock fails.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

static int pass(const char *name, int file, int command, void *argument) {
  switch (command) {
  case F_GETLK:
  case F_SETLK:
  case F_SETLKW:
  case F_OFD_SETLK:
  case F_OFD_SETLKW:
    errno = ENOLCK;
    return -1;
  }
  int (*next)(int, int, ...) = dlsym(RTLD_NEXT, name);
  return next(file, command, argument);
}

int fcntl(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  return pass("fcntl", file, command, argument);
}

int fcntl64(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  return pass("fcntl64", file, command, argument);
}
