// Preloaded into a program: each call that a network file system answers takes SLOW_FILES_US microseconds more, for paths that
// begin with SLOW_FILES_IN, and the number of these calls goes to the file SLOW_FILES_COUNT at the program's end.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int calls;

static void wait_for(const char* path) {
  const char* folder = getenv("SLOW_FILES_IN");
  if (folder == NULL || path == NULL || strncmp(path, folder, strlen(folder)) != 0) return;
  atomic_fetch_add(&calls, 1);
  const char* pause = getenv("SLOW_FILES_US");
  if (pause != NULL) usleep((useconds_t)atoi(pause));
}

__attribute__((destructor)) static void write_count(void) {
  const char* path = getenv("SLOW_FILES_COUNT");
  FILE* file = path == NULL ? NULL : fopen(path, "w");
  if (file == NULL) return;
  fprintf(file, "%d\n", atomic_load(&calls));
  fclose(file);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPEN(name)                                  \
  int name(const char* path, int flags, ...) {      \
    va_list more;                                   \
    va_start(more, flags);                          \
    const mode_t mode = va_arg(more, mode_t);       \
    va_end(more);                                   \
    wait_for(path);                                 \
    return NEXT(name)(path, flags, mode);           \
  }
OPEN(open)
OPEN(open64)

#define STAT(name)                                     \
  int name(const char* path, struct stat* status) {    \
    wait_for(path);                                    \
    return NEXT(name)(path, status);                   \
  }
STAT(stat)
STAT(lstat)

#define STAT64(name)                                   \
  int name(const char* path, struct stat64* status) {  \
    wait_for(path);                                    \
    return NEXT(name)(path, status);                   \
  }
STAT64(stat64)
STAT64(lstat64)

int access(const char* path, int mode) {
  wait_for(path);
  return NEXT(access)(path, mode);
}

void* opendir(const char* path) {
  wait_for(path);
  return ((void* (*)(const char*))dlsym(RTLD_NEXT, "opendir"))(path);
}

int rename(const char* from, const char* to) {
  wait_for(from);
  return NEXT(rename)(from, to);
}

int unlink(const char* path) {
  wait_for(path);
  return NEXT(unlink)(path);
}

int mkdir(const char* path, mode_t mode) {
  wait_for(path);
  return NEXT(mkdir)(path, mode);
}
