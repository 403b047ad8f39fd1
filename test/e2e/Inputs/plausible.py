#!/usr/bin/env python3
"""Holds a prediction of mandelbrot against what no parallel run can break."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    prediction = json.load(file)
for estimate in prediction["estimates"]:
    threads, speedup = estimate["threads"], estimate["speedup"]
    assert 0.999 <= speedup <= threads * 1.001, estimate
    assert abs(prediction["serial_ticks"] / estimate["ticks"] / speedup - 1) < 1e-6, estimate
    assert abs(sum(estimate["loss"].values()) - 1 + speedup / threads) < 1e-6, estimate
print(len(prediction["estimates"]), "estimates")
