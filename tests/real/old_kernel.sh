#!/usr/bin/env bash
# rv works on a kernel like Linux 3.10: strace makes all later system calls fail for rv and its children, but not for jobs of
# Slurm.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

later=$(tr -d '\n ' <<'END'
getrandom,memfd_create,renameat2,seccomp,bpf,execveat,kexec_file_load,sched_setattr,sched_getattr,mlock2,membarrier,
userfaultfd,copy_file_range,preadv2,pwritev2,statx,rseq,io_uring_setup,pidfd_send_signal,pidfd_open,pidfd_getfd,clone3,
close_range,openat2,faccessat2,epoll_pwait2
END
)
rv() { strace -f -qq -o "$work/calls" -e trace="$later" -e inject="$later:error=ENOSYS" "$RV" "$@"; }

exits 0 rv plan -g 1 -t a40 --time 10m
exits 0 rv run -f -g 1 -t a40 --time 10m --name first echo here
equal "output" "here" "$out"
grep -q 'getrandom.*ENOSYS' "$work/calls" || fail "the calls are there: $(cut -c1-200 "$work/calls" | head)"
exits 0 rv run -g 1 -t a40 --time 10m --name second sleep 100
exits 0 rv ps
contains "runs" "second" "$out"
exits 0 rv stop second
exits 0 rv show first
contains "state" "done" "$out"
exits 0 rv logs first
equal "log" "here" "$out"
exits 0 rv notify set log --command 'cat >/dev/null'
exits 0 rv exec true
