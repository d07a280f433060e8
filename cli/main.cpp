#include "cli/app.h"

int main(int argc, char** argv) {
  return rv::cli::run_rv(argc, argv);
}
