// Functions that glibc 2.28 lacks, and that a program compiled with a newer glibc calls, mostly through libstdc++. The
// program always uses its own version of them. The libraries that a worker carries (carried_gloo.cpp) use them too.
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace {

constexpr long second = 1'000'000'000;

long nanoseconds(const timespec& time) {
  return time.tv_sec * second + time.tv_nsec;
}

long now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return nanoseconds(time);
}

void* pointer(std::uintptr_t address) {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

/// Finds the loaded object that contains the address in a dl_find_object's map_start.
int find_object(dl_phdr_info* info, std::size_t, void* data) {
  auto* const wanted = static_cast<dl_find_object*>(data);
  const auto address = reinterpret_cast<std::uintptr_t>(wanted->dlfo_map_start);
  std::uintptr_t begin = UINTPTR_MAX, end = 0, frames = 0;
  bool found = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    const auto at = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_GNU_EH_FRAME) frames = at;
    if (header.p_type != PT_LOAD) continue;
    if (at < begin) begin = at;
    if (at + header.p_memsz > end) end = at + header.p_memsz;
    if (address >= at && address < at + header.p_memsz) found = true;
  }
  if (!found) return 0;
  wanted->dlfo_map_start = pointer(begin);
  wanted->dlfo_map_end = pointer(end);
  wanted->dlfo_eh_frame = pointer(frames);
  return 1;
}

}  // namespace

extern "C" {

// Names of symbol versions that older_glibc.py may substitute for newer ones: it can't add text to a program.
char glibc_2_2_5 __asm__("rv_GLIBC_2.2.5") = 0;
char glibc_2_3_2 __asm__("rv_GLIBC_2.3.2") = 0;
char glibc_2_3_3 __asm__("rv_GLIBC_2.3.3") = 0;
char glibc_2_3_4 __asm__("rv_GLIBC_2.3.4") = 0;

/// glibc 2.32. Locks are always taken: whether there is a second thread is not known.
char __libc_single_threaded = 0;  // NOLINT(bugprone-reserved-identifier)

// glibc 2.33; before, they were inline functions of the headers. On x86-64 glibc's structure equals the kernel's.
int fstatat(int folder, const char* path, struct stat* result, int flags) noexcept {
  return static_cast<int>(syscall(SYS_newfstatat, folder, path, result, flags));
}
int stat(const char* path, struct stat* result) noexcept {
  return fstatat(AT_FDCWD, path, result, 0);
}
int lstat(const char* path, struct stat* result) noexcept {
  return fstatat(AT_FDCWD, path, result, AT_SYMLINK_NOFOLLOW);
}
int fstat(int file, struct stat* result) noexcept {
  return static_cast<int>(syscall(SYS_fstat, file, result));
}
int fstat64(int file, struct stat64* result) noexcept {
  return static_cast<int>(syscall(SYS_fstat, file, result));
}

/// glibc 2.30: waits until a time of any clock. The older function only has the system clock, which may be changed. So
/// this waits for at most a second at a time, and an early return is one of the spurious wake-ups that every caller
/// must expect.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* until) {
  const auto left = nanoseconds(*until) - now(clock);
  if (left <= 0) return ETIMEDOUT;
  const auto end = now(CLOCK_REALTIME) + (left < second ? left : second);
  const timespec day_time{end / second, end % second};
  const auto result = pthread_cond_timedwait(condition, mutex, &day_time);
  return result == ETIMEDOUT && now(clock) < nanoseconds(*until) ? 0 : result;
}

/// glibc 2.36: std::random_device.
std::uint32_t arc4random() noexcept {
  std::uint32_t bits = 0;
  while (getrandom(&bits, sizeof bits, 0) != static_cast<ssize_t>(sizeof bits)) {
    if (errno != EINTR) abort();
  }
  return bits;
}

/// glibc 2.35: finds the unwind table of a function for exceptions.
int _dl_find_object(void* address, dl_find_object* result) noexcept {  // NOLINT(bugprone-reserved-identifier)
  *result = {};
  result->dlfo_map_start = address;
  return dl_iterate_phdr(find_object, result) == 1 ? 0 : -1;
}

}  // extern "C"
