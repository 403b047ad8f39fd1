// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang -shared -fPIC -I%include %S/Inputs/trace-runtime.c -o libtrace.so
// DEFINE: %{flags} =
// DEFINE: %{check} = %clang-prophet %{flags} %s -o app && env PROPHET_RUNTIME=%t/libtrace.so ./app | FileCheck %s

// The calls reach the runtime however the code is generated.
// REDEFINE: %{flags} = -O0 -g
// RUN: %{check}
// REDEFINE: %{flags} = -O1 -fno-pic -no-pie
// RUN: %{check}
// REDEFINE: %{flags} = -O3 -g -fno-omit-frame-pointer -march=native
// RUN: %{check}
// REDEFINE: %{flags} = -Os -ffunction-sections -fdata-sections -Wl,--gc-sections
// RUN: %{check}
// REDEFINE: %{flags} = -O1 -g -fsanitize=address,undefined
// RUN: %if compiler-rt %{ %{check} %}
// REDEFINE: %{flags} = -O2 -fprofile-instr-generate -fcoverage-mapping
// RUN: %if compiler-rt %{ %{check} %}
// REDEFINE: %{flags} = -O2 -save-temps
// RUN: %{check}
// REDEFINE: %{flags} = -O1 -fexceptions -fcf-protection=full -fstack-protector-all
// RUN: %{check}

// Optimised code calls through the table, without a function in between.
// RUN: %clang-prophet -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=IR

// Two modules share one table: linking their code together leaves one.
// RUN: %clang-prophet -O2 -flto -c %s -o one.bc
// RUN: %clang-prophet -O2 -flto -c -Dmain=other -Dwork=work2 %s -o two.bc
// RUN: %llvm-bin/llvm-link one.bc two.bc -o both.bc
// RUN: %clang -O2 both.bc -o app
// RUN: env PROPHET_RUNTIME=%t/libtrace.so ./app | FileCheck %s

// Another target than 64-bit ELF is refused by name.
// RUN: not %clang-prophet -m32 -ffreestanding -DNOLIBC -c %s -o x.o 2>&1 | FileCheck %s --check-prefix=TARGET

// CHECK:      section parallel_for|{{.*}}|rows|
// CHECK-NEXT:   task
// CHECK-NEXT:     lock
// CHECK-NEXT:     end lock
// CHECK-NEXT:   end task
// CHECK-NEXT: end section
// CHECK-NOT:  {{.}}
// TARGET: error: prophet: annotated programs need a 64-bit ELF target, not 'i386-pc-linux-gnu'

int work(int n);
int work(int n) {
  int s = 0;
// IR-LABEL: @work(
// IR: [[BEGIN:%[0-9a-z.]+]] = load {{.*}} getelementptr inbounds {{.*}}@__prophet_stub_table
// IR: call {{.*}}i32 [[BEGIN]](
// IR-NOT: call {{.*}}@__prophet
// IR: ret i32
#pragma prophet parallel for name(rows)
  for (int i = 0; i < n; i++)
#pragma prophet critical
    s += i;
  return s;
}

int main(void) { return work(1); }
