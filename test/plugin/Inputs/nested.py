"""Prints a C program of deeply nested and of very many annotated statements."""
LOOPS, BRANCHES, CRITICALS = 200, 1000, 3000

print("int main(void) {\n  int n = 0;")
for i in range(LOOPS):
    print(f"#pragma prophet parallel for\n  for (int i{i} = 0; i{i} < 1; i{i}++) {{")
print("    n++;" + "}" * LOOPS)
print("#pragma prophet critical")
for i in range(BRANCHES):
    print(f"  if (n == {i + 2}) n--; else")
print("    n++;")
for i in range(CRITICALS):
    print("#pragma prophet critical\n  if (n) n++;")
print("  return 0;\n}")
