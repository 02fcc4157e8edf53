#!/usr/bin/env python3
"""The peer of the detection benchmark: labels an image of one byte a pixel (ink is not 0) with OpenCV, two threads,
each time a line comes in, and answers with milliseconds and the number of islands.
usage: opencv_peer.py FILE WIDTH HEIGHT   (needs: pip install numpy opencv-python-headless)"""
import sys
import time

import cv2
import numpy as np

path, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
mask = np.fromfile(path, dtype=np.uint8).reshape(height, width)
cv2.setNumThreads(2)
print("ready", flush=True)
for _ in sys.stdin:
    start = time.perf_counter()
    count, _labels, _stats, _centroids = cv2.connectedComponentsWithStats(mask, connectivity=8)
    print((time.perf_counter() - start) * 1e3, count - 1, flush=True)
