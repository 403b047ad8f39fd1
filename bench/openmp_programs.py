"""The programs of public OpenMP suites: how each is built and run on its smallest input.

Commands only; the suites themselves come from their authors, checked out side by side:

  NPB-CPP        https://github.com/GMAP/NPB-CPP
  NPB3.0-omp-C   https://github.com/benchmark-subsetting/NPB3.0-omp-C
  OmpSCR         https://github.com/utpalbora/OmpSCR_v2.0
  bots           https://github.com/bsc-pm/bots
  rodinia        https://github.com/yuhc/gpu-rodinia
  PolyBench-ACC  https://github.com/cavazos-lab/PolyBench-ACC
  LULESH         https://github.com/LLNL/LULESH
"""
import dataclasses
import glob
import os
import random


@dataclasses.dataclass
class Program:
    suite: str
    name: str
    sources: list            # below the suite's folder; their extensions tell the language
    flags: list = dataclasses.field(default_factory=list)
    arguments: list = dataclasses.field(default_factory=list)
    inputs: dict = dataclasses.field(default_factory=dict)  # file: text, made in the run's folder
    outputs: list = dataclasses.field(default_factory=list)  # files that are compared
    header: tuple = ()       # what makes a header: a tool's source, its arguments
    runs: bool = True        # False: its input is not public or too large; compiled only


def numbers(count, low, high):
    source = random.Random(1)
    return "".join(f"{source.uniform(low, high):.6f}\n" for _ in range(count))


def npb_cpp():
    common = ["common/c_print_results.cpp", "common/c_randdp.cpp", "common/c_timers.cpp",
              "common/wtime.cpp"]
    for name in ("bt", "cg", "ep", "ft", "is", "lu", "mg", "sp"):
        yield Program("NPB-CPP", name, [f"{name.upper()}/{name}.cpp", *common],
                      ["-Icommon", "-std=c++14"], header=("sys/setparams.cpp", [name, "S"]))


def npb_c():
    common = ["common/c_print_results.c", "common/c_randdp.c", "common/c_timers.c",
              "common/wtime.c"]
    for name in ("bt", "cg", "ep", "ft", "is", "lu", "mg", "sp"):
        shared = [c for c in common if name != "is" or "randdp" not in c]  # it has its own
        yield Program("NPB3.0-omp-C", name, [f"{name.upper()}/{name}.c", *shared],
                      ["-Icommon"], header=("sys/setparams.c", [name, "S"]))


def ompscr():
    common = {"c": ["common/ompscrCommon.c", "common/wtime.c"],
              "cpp": ["common/ompscrCommon.cpp", "common/wtime.cpp"]}
    jacobi = "60 60 0.8 1.0 1e-7 20".split()
    arguments = {"c_fft": ["16"], "c_fft6": ["16", "2"], "c_jacobi01": jacobi,
                 "c_jacobi02": jacobi, "c_jacobi03": jacobi, "c_lu": ["60"], "c_mandel": ["400"],
                 "c_md": ["64", "4"], "c_pi": ["10000"], "c_qsort": ["16"]}
    for path in ("c_FFT/c_fft", "c_FFT6/c_fft6", "c_Jacobi/c_jacobi01", "c_Jacobi/c_jacobi02",
                 "c_Jacobi/c_jacobi03", "c_LUreduction/c_lu", "c_Mandelbrot/c_mandel",
                 "c_MolecularDynamic/c_md", "c_Pi/c_pi", "c_QuickSort/c_qsort",
                 *(f"c_LoopsWithDependencies/c_loop{version}" for version in
                   ("A.badSolution", "A.solution1", "A.solution2", "A.solution3",
                    "B.badSolution1", "B.badSolution2", "B.pipelineSolution"))):
        name = os.path.basename(path)
        yield Program("OmpSCR", name, [f"applications/{path}.c", *common["c"]],
                      # The Jacobi programs declare no OSCR_malloc: its pointers must fit an int.
                      ["-Iinclude", "-Icommon", *(["-no-pie"] if "jacobi" in name else [])],
                      arguments.get(name, ["100", "4"]))
    graph = "applications/c_GraphSearch/"
    yield Program("OmpSCR", "c_testPath", [graph + "c_testPath.c", graph + "tg.c",
                                           graph + "AStack.c", *common["c"]], ["-Iinclude"],
                  ["1", "5", f"SUITE/{graph}GraphExamples/exampleGraph_01.gph"])
    for version in range(1, 8):
        yield Program("OmpSCR", f"cpp_qsomp{version}",
                      [f"applications/cpp_sortOpenMP/cpp_qsomp{version}.cpp", *common["cpp"]],
                      ["-Iinclude"], ["20000", "4", "100"])


def bots():
    arguments = {"fib": ["-n", "18"], "nqueens": ["-n", "7"], "sort": ["-n", "65536"],
                 "strassen": ["-n", "128"], "fft": ["-n", "4096"],
                 "concom": ["-n", "300", "-m", "5", "-l", "300"],
                 "sparselu_for": ["-n", "10", "-m", "10"],
                 "sparselu_single": ["-n", "10", "-m", "10"],
                 "health": ["-f", "SUITE/inputs/health/test.input"],
                 "uts": ["-f", "SUITE/inputs/uts/test.input"],
                 "knapsack": ["-f", "SUITE/inputs/knapsack/knapsack-012.input"],
                 "floorplan": ["-f", "SUITE/inputs/floorplan/input.5"],
                 "alignment_for": ["-f", "SUITE/inputs/alignment/prot.20.aa"],
                 "alignment_single": ["-f", "SUITE/inputs/alignment/prot.20.aa"]}
    about = [f'-D{word}="x"' for word in ("CDATE", "CC", "LD", "CMESSAGE", "LDFLAGS", "CFLAGS")]
    cutoffs = {"": [], " manual": ["-DMANUAL_CUTOFF"], " if": ["-DIF_CUTOFF"],
               " final": ["-DFINAL_CUTOFF"]}
    for name, given in arguments.items():
        kind = name.split("_")[0]
        folder = f"omp-tasks/{kind}/{name}" if "_" in name else f"omp-tasks/{kind}"
        extra = {"alignment": [f"{folder}/sequence.c"], "uts": [f"{folder}/brg_sha1.c"]}
        sources = [f"{folder}/{kind}.c", *extra.get(kind, []), "common/bots_main.c",
                   "common/bots_common.c"]
        for cutoff, flag in cutoffs.items():
            if cutoff and kind not in ("fib", "nqueens", "floorplan", "health", "strassen"):
                continue
            yield Program("bots", name + cutoff, sources,
                          ["-Icommon", f"-I{folder}", *about, *flag],
                          ["-c", *given])


def polybench(suite):
    for source in sorted(glob.glob(os.path.join(suite, "OpenMP", "**", "*.c"), recursive=True)):
        folder, file = os.path.split(os.path.relpath(source, suite))
        if os.path.basename(folder) + ".c" == file:
            yield Program("PolyBench-ACC", file[:-2],
                          [f"{folder}/{file}", "OpenMP/utilities/polybench.c"],
                          ["-IOpenMP/utilities", f"-I{folder}", "-DMINI_DATASET",
                           "-DPOLYBENCH_DUMP_ARRAYS"])


def rodinia_graph(nodes):
    source = random.Random(1)
    degrees = [source.randint(1, 5) for _ in range(nodes)]
    starts = [sum(degrees[:node]) for node in range(nodes)]
    edges = [f"{source.randrange(nodes)} 1\n" for _ in range(sum(degrees))]
    return (f"{nodes}\n" + "".join(f"{s} {d}\n" for s, d in zip(starts, degrees)) +
            f"\n0\n\n{len(edges)}\n" + "".join(edges))


def rodinia_mesh(elements):
    source = random.Random(1)
    rows = []
    for element in range(elements):
        around = [source.randrange(elements) + 1 for _ in range(4)]
        rows.append("1.0 " + " ".join(f"{n} 0.1 0.2 0.3" for n in around))
    return f"{elements}\n" + "\n".join(rows) + "\n"


def rodinia_points(count, features):
    source = random.Random(1)
    return "".join(f"{point} " + " ".join(f"{source.uniform(0, 1):.4f}" for _ in range(features)) +
                   "\n" for point in range(count))


def rodinia_records(count):
    source = random.Random(1)
    return "".join(f"1950 {n % 12 + 1:2} {n % 28 + 1:2} {n % 24:2} {n % 10} {'NAME':>9} "
                   f"{source.uniform(0, 90):5.1f} {source.uniform(0, 90):5.1f} {n:5} {n:5}\n"
                   .replace("\n", "")[:48].ljust(48) + "\n" for n in range(count))


def rodinia_image(rows, columns):
    values = numbers(rows * columns, 10, 250).split()
    return (f"P2\n# made\n{columns} {rows}\n255\n" +
            "\n".join(str(int(float(v))) for v in values) + "\n")


def rodinia():
    def program(name, sources, flags=(), arguments=(), **more):
        return Program("rodinia", name, ["openmp/" + s for s in sources], list(flags),
                       list(arguments), **more)

    yield program("backprop", ["backprop/backprop.c", "backprop/facetrain.c",
                               "backprop/imagenet.c", "backprop/backprop_kernel.c"],
                  arguments=["4096"])
    yield program("bfs", ["bfs/bfs.cpp"], arguments=["4", "graph"],
                  inputs={"graph": rodinia_graph(2000)}, outputs=["result.txt"])
    tree = [f"b+tree/{f}.c" for f in ("main", "kernel/kernel_cpu", "kernel/kernel_cpu_2",
                                      "util/timer/timer", "util/num/num")]
    yield program("b+tree", tree, ["-Iopenmp/b+tree"],
                  ["core", "1", "file", "keys", "command", "commands"], outputs=["output.txt"],
                  inputs={"keys": "2000\n" + "".join(f"{k}\n" for k in range(2000)),
                          "commands": "j 60 30\nk 100\n"})
    for name in ("euler3d_cpu", "euler3d_cpu_double", "pre_euler3d_cpu", "pre_euler3d_cpu_double"):
        yield program(name, [f"cfd/{name}.cpp"], ["-Dblock_length=4"], ["mesh"],
                      inputs={"mesh": rodinia_mesh(32)}, outputs=["density", "momentum"])
    yield program("heartwall", ["heartwall/main.c", "heartwall/AVI/avilib.c",
                                "heartwall/AVI/avimod.c"], ["-Iopenmp/heartwall/AVI"], runs=False)
    yield program("hotspot", ["hotspot/hotspot_openmp.cpp"],
                  arguments=["64", "64", "2", "1", "temperature", "power", "out"],
                  inputs={"temperature": numbers(64 * 64, 320, 340),
                          "power": numbers(64 * 64, 0, 1)}, outputs=["out"])
    yield program("hotspot3D", ["hotspot3D/3D.c"],
                  arguments=["32", "4", "10", "power", "temperature", "out"],
                  inputs={"temperature": numbers(32 * 32 * 4, 320, 340),
                          "power": numbers(32 * 32 * 4, 0, 1)}, outputs=["out"])
    kmeans = [f"kmeans/kmeans_openmp/{f}.c" for f in ("kmeans", "cluster", "getopt",
                                                      "kmeans_clustering")]
    yield program("kmeans", kmeans, [], ["-n", "1", "-i", "points"],
                  inputs={"points": rodinia_points(500, 8)})
    lava = [f"lavaMD/{f}.c" for f in ("main", "kernel/kernel_cpu", "util/num/num",
                                      "util/timer/timer")]
    yield program("lavaMD", lava, arguments=["-cores", "1", "-boxes1d", "2"])
    yield program("leukocyte", [f"leukocyte/OpenMP/{f}.c" for f in ("avilib", "find_ellipse",
                  "track_ellipse", "misc_math")], ["-Iopenmp/leukocyte/meschach_lib"], runs=False)
    yield program("lud", ["lud/omp/lud.c", "lud/omp/lud_omp.c", "lud/common/common.c"],
                  ["-Iopenmp/lud/common"], ["-v", "-s", "64"])
    yield program("mummergpu", ["mummergpu/src/mummergpu_gold.cpp"], ["-std=gnu++98"], runs=False)
    yield program("myocyte", ["myocyte/main.c"], arguments=["1", "4", "1", "1"],
                  inputs={"../../data/myocyte/y.txt": numbers(91, 0.01, 0.02),
                          "../../data/myocyte/params.txt": numbers(18, 0.01, 0.02)})
    yield program("nn", ["nn/nn_openmp.c"], arguments=["list", "5", "30", "90"],
                  inputs={"list": "records\n", "records": rodinia_records(200)})
    yield program("nw", ["nw/needle.cpp"], arguments=["64", "10", "1"], outputs=["result.txt"])
    yield program("particlefilter", ["particlefilter/ex_particle_OPENMP_seq.c"],
                  arguments="-x 128 -y 128 -z 4 -np 200".split())
    yield program("pathfinder", ["pathfinder/pathfinder.cpp"], arguments=["1000", "20"])
    yield program("srad_v1", ["srad/srad_v1/main.c"], arguments=["2", "0.5", "50", "40", "1"],
                  inputs={"../../../data/srad/image.pgm": rodinia_image(50, 40)},
                  outputs=["image_out.pgm"])
    yield program("srad_v2", ["srad/srad_v2/srad.cpp"],
                  arguments="64 64 0 31 0 31 1 0.5 2".split())
    yield program("streamcluster", ["streamcluster/streamcluster_omp.cpp"],
                  arguments="5 10 16 512 512 100 none out 1".split(), outputs=["out"])


def lulesh():
    yield Program("LULESH", "lulesh", ["lulesh.cc", "lulesh-comm.cc", "lulesh-viz.cc",
                                       "lulesh-util.cc", "lulesh-init.cc"], ["-DUSE_MPI=0"],
                  ["-s", "8", "-i", "4"])


#: Where each suite's programs lie below its checkout.
SUITES = {
    "NPB-CPP": ("NPB-CPP/NPB-OMP", lambda folder: npb_cpp()),
    "NPB3.0-omp-C": ("NPB3.0-omp-C", lambda folder: npb_c()),
    "OmpSCR": ("OmpSCR", lambda folder: ompscr()),
    "bots": ("bots", lambda folder: bots()),
    "rodinia": ("rodinia", lambda folder: rodinia()),
    "PolyBench-ACC": ("PolyBench-ACC", polybench),
    "LULESH": ("LULESH", lambda folder: lulesh()),
}
