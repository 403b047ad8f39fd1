//===- Process.cpp - Running a program and waiting for it -------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/support/Process.h"

#include "predictor/support/Text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace prophet {

std::string ProcessEnd::describe() const {
  if (signal)
    return fmt::format("was killed by signal {} ({})", signal, ::strsignal(signal));
  return fmt::format("exited with status {}", status);
}

static constexpr std::array ForwardedSignals = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

/// The running program, for the signal handler.
static volatile pid_t runningChild = 0;
/// A signal that came before there was a program to pass it on to.
static volatile std::sig_atomic_t pendingSignal = 0;

static void forward(int signal, siginfo_t *info, void *) {
  // The kernel sends a terminal's signals to the whole foreground group: the program has it.
  if (info->si_code == SI_KERNEL)
    return;
  if (runningChild > 0)
    ::kill(runningChild, signal);
  else
    pendingSignal = signal;
}

CoreLimit::CoreLimit(unsigned count)
    : isKnown(::sched_getaffinity(0, sizeof before, &before) == 0) {
  if (!isKnown)
    return;
  cpu_set_t kept;
  CPU_ZERO(&kept);
  for (int cpu = CPU_SETSIZE - 1; cpu >= 0 && count > 0; --cpu)
    if (CPU_ISSET(cpu, &before)) {
      CPU_SET(cpu, &kept);
      --count;
    }
  ::sched_setaffinity(0, sizeof kept, &kept);
}

CoreLimit::~CoreLimit() {
  if (isKnown)
    ::sched_setaffinity(0, sizeof before, &before);
}

using Variables = std::vector<std::pair<std::string, std::string>>;

/// In the child: becomes the program, or tells the parent through `failurePipe` why not.
[[noreturn]] static void becomeProgram(char *const *argv, const Variables &variables,
                                       int failurePipe) {
  for (const auto &[name, value] : variables)
    ::setenv(name.c_str(), value.c_str(), 1);
  const CoreLimit oneCore(1); // which the program inherits
  ::execvp(argv[0], argv);
  int code = errno;
  [[maybe_unused]] ssize_t put = ::write(failurePipe, &code, sizeof code);
  ::_exit(127);
}

/// Waits for `child` until `deadline`. \returns whether it has ended
static bool endsBefore(pid_t child, std::chrono::steady_clock::time_point deadline) {
  const auto process = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  if (process < 0) // the kernel is older than Linux 5.3, or there are no descriptors left
    return true;
  pollfd end{process, POLLIN, 0};
  int ended = 0;
  do {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    constexpr std::int64_t longest = 1'000'000; // ms
    ended = ::poll(&end, 1, static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, longest)));
  } while (ended <= 0 && std::chrono::steady_clock::now() < deadline);
  ::close(process);
  return ended > 0;
}

ProcessEnd waitFor(pid_t child, Deadline deadline) {
  const bool late = deadline && !endsBefore(child, *deadline);
  if (late)
    ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  ProcessEnd end;
  end.late = late;
  if (WIFSIGNALED(status))
    end.signal = WTERMSIG(status);
  else
    end.status = WEXITSTATUS(status);
  return end;
}

namespace {
/// Passes termination signals on to `runningChild` while it lives.
class SignalForwarding {
public:
  SignalForwarding() {
    struct sigaction action = {};
    action.sa_sigaction = forward;
    action.sa_flags = SA_SIGINFO;
    for (std::size_t i = 0; i < ForwardedSignals.size(); ++i) {
      ::sigaction(ForwardedSignals[i], nullptr, &old[i]);
      if (old[i].sa_handler != SIG_IGN) // nohup stays in force
        ::sigaction(ForwardedSignals[i], &action, nullptr);
    }
  }
  ~SignalForwarding() {
    for (std::size_t i = 0; i < ForwardedSignals.size(); ++i)
      ::sigaction(ForwardedSignals[i], &old[i], nullptr);
  }

private:
  std::array<struct sigaction, ForwardedSignals.size()> old;
};
} // namespace

std::optional<Error> copyPipedInput() {
  struct stat about = {};
  if (::fstat(STDIN_FILENO, &about) != 0 || !(S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode)))
    return std::nullopt;
  const int copy = ::memfd_create("prophet-input", 0);
  if (copy < 0)
    return Error{
        fmt::format("memfd_create: {}; give the input as a file: < FILE", std::strerror(errno))};
  char block[65536];
  ssize_t got = 0;
  while ((got = ::read(STDIN_FILENO, block, sizeof block)) > 0 || (got < 0 && errno == EINTR))
    for (ssize_t done = 0; done < got;) {
      const ssize_t put = ::write(copy, block + done, static_cast<std::size_t>(got - done));
      if (put <= 0)
        return Error{"standard input: no room for it; give it as a file: < FILE"};
      done += put;
    }
  ::lseek(copy, 0, SEEK_SET);
  ::dup2(copy, STDIN_FILENO);
  ::close(copy);
  return std::nullopt;
}

/// What poll() says of standard input, if it is a pipe; or 0.
static short pipeEvents() {
  struct stat about = {};
  if (::fstat(STDIN_FILENO, &about) != 0 || !(S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode)))
    return 0;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, 0) > 0 ? input.revents : short(0);
}

InputStart::InputStart()
    : offset(::lseek(STDIN_FILENO, 0, SEEK_CUR)), hadMore(pipeEvents() & POLLIN) {}

bool InputStart::isUsedUp() const {
  const short now = pipeEvents();
  return hadMore && (now & POLLHUP) && !(now & POLLIN);
}

void InputStart::rewind() const {
  if (offset >= 0)
    ::lseek(STDIN_FILENO, offset, SEEK_SET);
}

Result<ProcessEnd> runPinned(const std::vector<std::string> &command, const Variables &variables) {
  std::vector<char *> argv;
  for (const std::string &argument : command)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);

  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0)
    return Error{fmt::format("pipe: {}; close some files", std::strerror(errno))};
  // exec resets handlers to the default and keeps what is ignored, as a shell would have it.
  SignalForwarding forwarding;
  pid_t child = ::fork();
  if (child == 0)
    becomeProgram(argv.data(), variables, pipe[1]);
  int forkError = errno;
  ::close(pipe[1]);
  if (child < 0) {
    ::close(pipe[0]);
    return Error{fmt::format("fork: {}; end some processes", std::strerror(forkError))};
  }
  runningChild = child;
  if (pendingSignal)
    ::kill(child, pendingSignal);
  ProcessEnd end = waitFor(child);
  runningChild = 0;
  int code = 0;
  bool failed = ::read(pipe[0], &code, sizeof code) == sizeof code;
  ::close(pipe[0]);
  if (failed)
    return Error{fmt::format("{}: cannot run: {}; check the program's name", printable(command[0]),
                             std::strerror(code))};
  return end;
}

} // namespace prophet
