//===- Vectorization.cpp - Loops that OpenMP would slow down ----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/Vectorization.h"

#include "predictor/support/Capture.h"
#include "predictor/support/Text.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace prophet {

namespace {
/// One document of the record.
struct Remark {
  std::string kind, file, function, reason;
  unsigned line = 0, column = 0;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && std::string_view(" \t\r\n").find(text.back()) != text.npos)
    text.remove_suffix(1);
  return text;
}

/// What stands after `key` in a line, up to a comma or brace outside of quotes; without quotes.
std::string valueOf(std::string_view line, std::string_view key) {
  auto at = line.find(key);
  if (at == line.npos)
    return "";
  std::string_view rest = trimmed(line.substr(at + key.size()));
  if (rest.starts_with("'") || rest.starts_with("\""))
    return std::string(rest.substr(1, rest.find(rest.front(), 1) - 1));
  return std::string(trimmed(rest.substr(0, rest.find_first_of(",}"))));
}

unsigned numberOf(const std::string &text) {
  unsigned number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// The next line of `text`, taken off it.
std::string_view takeLine(std::string_view &text) {
  std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

void record(const Remark &remark, VectorizerRemarks &result) {
  if (remark.file.empty())
    return;
  auto &loop = result.loops[{remark.file, remark.line, remark.column}];
  const bool outlined = remark.function.find("omp_outlined") != std::string::npos ||
                        remark.function.find("omp_task") != std::string::npos;
  loop.vectorized |= remark.kind == "Passed";
  loop.missed |= remark.kind == "Missed" && outlined;
  if (remark.kind == "Analysis" && outlined)
    loop.reason = remark.reason;
}

/// OpenMP's remarks on a marked loop name its pragma: gives them the place of the `for` below it.
VectorizerRemarks atTheirLoops(const VectorizerRemarks &remarks) {
  VectorizerRemarks moved;
  for (const auto &[place, loop] : remarks.loops) {
    auto [file, line, column] = place;
    auto text = readWholeFile(file);
    std::string_view rest = text ? std::string_view(*text) : std::string_view();
    std::string_view current;
    for (unsigned n = 0; n < line; ++n)
      current = takeLine(rest);
    if (trimmed(current).starts_with("#"))
      for (unsigned n = line + 1; !rest.empty() && n < line + 16; ++n) {
        current = takeLine(rest);
        if (!trimmed(current).starts_with("for"))
          continue;
        line = n;
        column = static_cast<unsigned>(current.find("for")) + 1;
        break;
      }
    moved.loops[{file, line, column}] = loop;
  }
  return moved;
}

Result<VectorizerRemarks> remarksOf(const Compilation &compilation,
                                    const std::vector<std::string> &added) {
  auto directory = TemporaryDirectory::create();
  if (!directory)
    return directory.error();
  const std::string path = *directory / "remarks.yaml";
  std::vector<std::string> all = {"-w", "-fsave-optimization-record",
                                  "-foptimization-record-file=" + path,
                                  "-foptimization-record-passes=loop-vectorize"};
  if (!compilation.optimizes())
    all.push_back("-O2");
  all.insert(all.end(), added.begin(), added.end());
  auto run = runCaptured(compilation.compile(all), {}, CaptureErrors::Yes);
  if (!run)
    return run.error();
  auto yaml = readWholeFile(path);
  if (run->end.failed() || !yaml)
    return Error{printable(compilation.source) +
                 ": cannot be compiled to compare its loops: " + printable(run->errors)};
  return parseRemarks(*yaml);
}
} // namespace

VectorizerRemarks parseRemarks(std::string_view yaml) {
  VectorizerRemarks result;
  Remark current;
  while (!yaml.empty()) {
    std::string_view line = takeLine(yaml);
    if (line.starts_with("--- !")) {
      current = {std::string(trimmed(line.substr(5))), "", "", "", 0, 0};
    } else if (line.starts_with("DebugLoc:")) {
      current.file = valueOf(line, "File:");
      current.line = numberOf(valueOf(line, "Line:"));
      current.column = numberOf(valueOf(line, "Column:"));
    } else if (line.starts_with("Function:")) {
      current.function = valueOf(line, "Function:");
    } else if (trimmed(line).starts_with("- String:")) {
      std::string text = valueOf(line, "String:");
      if (!text.starts_with("loop not vectorized"))
        current.reason += text;
    } else if (line.starts_with("...")) {
      record(current, result);
    }
  }
  return result;
}

std::vector<LostVectorization> compareRemarks(const VectorizerRemarks &serial,
                                              const VectorizerRemarks &openmp) {
  std::vector<LostVectorization> lost;
  for (const auto &[place, loop] : serial.loops) {
    auto other = openmp.loops.find(place);
    if (!loop.vectorized || other == openmp.loops.end() || !other->second.missed)
      continue;
    const auto &[file, line, column] = place;
    lost.push_back({file, line, column, other->second.reason});
  }
  return lost;
}

Result<std::vector<LostVectorization>>
findLostVectorization(const Compilation &compilation,
                      const std::vector<std::string> &openmpOptions) {
  auto serial = remarksOf(compilation, {"-fno-openmp"});
  if (!serial)
    return serial.error();
  auto openmp = remarksOf(compilation, openmpOptions);
  if (!openmp)
    return openmp.error();
  return compareRemarks(*serial, atTheirLoops(*openmp));
}

std::string describe(const LostVectorization &lost) {
  return fmt::format(
      "{}:{}:{}: warning: this loop is vectorised in the serial program but not in a "
      "parallel loop's body{}: the predicted speedup is too high; try the clause "
      "'firstprivate' for what the loop only reads, or restrict-qualified pointers",
      printable(lost.file), lost.line, lost.column,
      lost.reason.empty() ? "" : " (" + printable(lost.reason) + ")");
}

} // namespace prophet
