// How a program starts on any glibc. Since 2.34 the C library calls the program's constructors itself, so GCC's start
// code passes none to __libc_start_main. An older library expects to receive them and would call none. Therefore that
// call is redirected to this function (`-Wl,--wrap`, cmake/older_glibc.cmake), which passes the constructors: every
// library calls those that it receives.

extern "C" {

using Initializer = void (*)(int, char**, char**);
// The linker's symbols for the program's list of constructors.
extern const Initializer first_initializer[] __asm__("__init_array_start") __attribute__((visibility("hidden")));
extern const Initializer after_initializers[] __asm__("__init_array_end") __attribute__((visibility("hidden")));
void before_initializers() __asm__("_init");

int start_main(int (*main)(int, char**, char**), int argc, char** argv, Initializer initialize, void (*finish)(),
               void (*loader_finish)(), void* stack_end) __asm__("__real___libc_start_main");
int named_start_main(int (*main)(int, char**, char**), int argc, char** argv, Initializer none, void (*finish)(),
                     void (*loader_finish)(), void* stack_end) __asm__("__wrap___libc_start_main");

static void initialize_all(int argc, char** argv, char** environment) {
  before_initializers();
  for (const auto* initializer = first_initializer; initializer != after_initializers; ++initializer) {
    (*initializer)(argc, argv, environment);
  }
}

int named_start_main(int (*main)(int, char**, char**), int argc, char** argv, Initializer, void (*finish)(),
                     void (*loader_finish)(), void* stack_end) {
  return start_main(main, argc, argv, initialize_all, finish, loader_finish, stack_end);
}

}  // extern "C"
