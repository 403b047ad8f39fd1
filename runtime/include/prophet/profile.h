/*===- prophet/profile.h - The runtime's C ABI ------------------*- C -*-===*\
|*
|* Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*
|* The calls that an annotated program makes, inserted by the Clang plugin or by
|* prophet-rewrite. This is the runtime's only door: C89, any compiler, no
|* dependency. Every `begin` returns a handle; the matching `end` takes its
|* address, which is the signature of a `cleanup` attribute, and closes
|* everything that was opened since (so longjmp and exceptions leave nothing
|* open). An `end` whose handle is 0 does nothing: nothing was begun.
|*
|*   { unsigned h __attribute__((cleanup(__prophet_section_end), unused)) =
|*         __prophet_section_begin("parallel_for|mandel.c|12|rows|");
|*     for (...) { unsigned t __attribute__((cleanup(__prophet_task_end), unused)) =
|*                     __prophet_task_begin(); BODY } }
|*
|* A SITE string describes one annotation, fields separated by '|':
|*
|*   kind|file|line|name|clauses
|*
|* kind     parallel_for | sections | tasks
|* name     the `name(...)` clause, or empty
|* clauses  the other clauses as written, separated by one blank, e.g.
|*          "nowait schedule(static, 4) private(x) reduction(+:s)"
|*
|* '%', '|', '"', '\', '?' and control characters in a field are written as %XX
|* (two upper-case hex digits). A field may instead be quoted: then '\' only keeps its
|* meaning before '"' and '\', and the field ends before `"|` (so macros can write one). A LOCK
string is the lock's name ("" is the unnamed
|* critical's one lock). Both are copied when they are first seen.
|*
|* Tasks are spawned wherever they stand. Their `tasks` section is held by a variable
|* of the function, 0 at first:
|*
|*   unsigned tasks __attribute__((cleanup(__prophet_tasks_end))) = 0;
|*   { unsigned t __attribute__((cleanup(__prophet_task_end), unused)) =
|*         __prophet_spawn_begin(&tasks, "tasks|fib.c|7|fib|"); S }
|*   __prophet_tasks_end(&tasks);   (waits for them)
|*
\*===--------------------------------------------------------------------===*/
#ifndef PROPHET_PROFILE_H
#define PROPHET_PROFILE_H

#ifdef __cplusplus
#if __cplusplus >= 201103L
#define PROPHET_NOTHROW noexcept
#else
#define PROPHET_NOTHROW throw()
#endif
extern "C" {
#else
#define PROPHET_NOTHROW
#endif

/** Opens a section (paper §IV-B). `site`: see above; never null. Returns the handle. */
unsigned __prophet_section_begin(const char *site) PROPHET_NOTHROW;
/** Closes the section `*handle` and everything opened inside it that is still open. */
void __prophet_section_end(unsigned *handle) PROPHET_NOTHROW;

/** Opens a task of the innermost open section. Reads no clock: it begins where the previous event
 * ended. */
unsigned __prophet_task_begin(void) PROPHET_NOTHROW;
/** Closes the task `*handle` and everything opened inside it that is still open. */
void __prophet_task_end(unsigned *handle) PROPHET_NOTHROW;

/** Enters a critical section on the lock called `lock` (never null). */
unsigned __prophet_lock_begin(const char *lock) PROPHET_NOTHROW;
/** Leaves the critical section `*handle` and everything opened inside it that is still open. */
void __prophet_lock_end(unsigned *handle) PROPHET_NOTHROW;

/**
 * Opens a task, which __prophet_task_end closes, of the section that `*tasks` is the handle of.
 * Where `*tasks` is 0, or names nothing open any more, it first opens a section for `site` (kind
 * `tasks`) and stores its handle there. Other threads than the profiled one leave it as it is.
 */
unsigned __prophet_spawn_begin(unsigned *tasks, const char *site) PROPHET_NOTHROW;
/** Closes the section `*tasks` unless it is 0, and sets `*tasks` to 0. */
void __prophet_tasks_end(unsigned *tasks) PROPHET_NOTHROW;

/**
 * The time from the first to the last of them belongs to no node; pauses nest. What begins in
 * between is not recorded; what began before and ends in between ends when the pause began.
 */
void __prophet_pause(void) PROPHET_NOTHROW;
void __prophet_resume(void) PROPHET_NOTHROW;

/*
 * What macros call (prophet/annotate.h), with nowhere to keep a handle. An end closes the innermost
 * construct of its kind that was begun from the same call of a function; where none was, the
 * innermost. None closes what the functions above have opened.
 */
void __prophet_open_section(const char *site) PROPHET_NOTHROW;
/** `nowait`: not 0 where nobody waits for the section's tasks; marks the site. */
void __prophet_close_section(int nowait) PROPHET_NOTHROW;
void __prophet_open_task(void) PROPHET_NOTHROW;
void __prophet_close_task(void) PROPHET_NOTHROW;
/** Closes the task that is open in the section, if there is one, and opens the next. */
void __prophet_next_task(void) PROPHET_NOTHROW;
/**
 * `text` is how the lock is written: a string literal, quotes included, is its name; else `value`
 * tells it from others, and `text` where it is seen first names it. Released in any order.
 */
void __prophet_open_lock(const char *text, unsigned long value) PROPHET_NOTHROW;
void __prophet_close_lock(const char *text, unsigned long value) PROPHET_NOTHROW;

/** The calls as a table, for programs that find the runtime while they start. */
struct prophet_runtime_api {
  unsigned version; /**< PROPHET_RUNTIME_API_VERSION */
  unsigned size;    /**< sizeof(struct prophet_runtime_api) of the runtime */
  unsigned (*section_begin)(const char *site);
  void (*section_end)(unsigned *handle);
  unsigned (*task_begin)(void);
  void (*task_end)(unsigned *handle);
  unsigned (*lock_begin)(const char *lock);
  void (*lock_end)(unsigned *handle);
  /* Since version 2: */
  unsigned (*spawn_begin)(unsigned *tasks, const char *site);
  void (*tasks_end)(unsigned *tasks);
  void (*pause)(void);
  void (*resume)(void);
  void (*open_section)(const char *site);
  void (*close_section)(int nowait);
  void (*open_task)(void);
  void (*close_task)(void);
  void (*next_task)(void);
  void (*open_lock)(const char *text, unsigned long value);
  void (*close_lock)(const char *text, unsigned long value);
};
#define PROPHET_RUNTIME_API_VERSION 2u

/**
 * The runtime's table for ABI `version`, or null where this runtime does not speak it. Versions
 * only add to the table's end, so a runtime speaks all versions up to its own.
 */
const struct prophet_runtime_api *prophet_runtime_get_api(unsigned version) PROPHET_NOTHROW;

/**
 * Annotated modules hold this as a common symbol, for which a linker takes a definition out of an
 * archive: so `-static ... -lprophet` needs no further option. Not for programs to use.
 */
extern const int prophet_runtime_linked;

#ifdef __cplusplus
}
#endif

/*
 * An annotated constexpr function must stay one. Clang's evaluator passes over the `cleanup`
 * attribute; GCC's calls the function, which therefore has to be constexpr itself. (`begin` is not
 * called there: what is inserted asks __builtin_is_constant_evaluated.)
 */
#if defined(__GNUC__) && !defined(__clang__) && defined(__cplusplus) && __cplusplus >= 201402L
#define PROPHET_CONSTEXPR_END(construct)                                                           \
  constexpr inline void __prophet_##construct##_close(unsigned *handle) PROPHET_NOTHROW {          \
    if (!__builtin_is_constant_evaluated())                                                        \
      __prophet_##construct##_end(handle);                                                         \
  }
PROPHET_CONSTEXPR_END(section)
PROPHET_CONSTEXPR_END(task)
PROPHET_CONSTEXPR_END(lock)
PROPHET_CONSTEXPR_END(tasks)
#undef PROPHET_CONSTEXPR_END
#define __prophet_section_end __prophet_section_close
#define __prophet_task_end __prophet_task_close
#define __prophet_lock_end __prophet_lock_close
#define __prophet_tasks_end __prophet_tasks_close
#endif
#undef PROPHET_NOTHROW

#endif /* PROPHET_PROFILE_H */
