#!/usr/bin/env python3
"""Holds a prediction of mandelbrot against what no parallel run can break."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    prediction = json.load(file)
estimates = {}
for estimate in prediction["estimates"]:
    threads, speedup = estimate["threads"], estimate["speedup"]
    assert 0.999 <= speedup <= threads * 1.001, estimate
    assert abs(prediction["serial_ticks"] / estimate["ticks"] / speedup - 1) < 1e-6, estimate
    assert abs(sum(estimate["loss"].values()) - 1 + 1 / threads * speedup) < 1e-6, estimate
    estimates[estimate["schedule"], threads] = speedup
print(len(estimates), "estimates")
if estimates["static,1", 2] > 1.1 * estimates["static", 2]:
    print("static,1 beats static at 2 threads")
