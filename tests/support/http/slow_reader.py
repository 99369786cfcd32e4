"""Reads an answer as a slow line would: slow_reader.py HOST PORT BYTES_A_SECOND SECONDS < request > answer

Takes so many bytes a second for so long, and then everything that is left. The receive buffer is small: with a large one, the kernel
acknowledges nothing until a good part of it is free, and this reader would look as if it took nothing for seconds.
"""

import socket
import sys
import time

host, port, per_second, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
answer = sys.stdout.buffer
with socket.socket() as line:
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    line.connect((host, port))
    line.sendall(sys.stdin.buffer.read())
    began = time.monotonic()
    taken = 0
    try:
        while True:
            passed = time.monotonic() - began
            # As a line does, however late a busy machine runs this.
            due = int(per_second * passed) - taken if passed < seconds else 1 << 20
            chunk = line.recv(due) if due > 0 else None
            if chunk == b"":
                break
            if chunk is None:
                time.sleep(0.05)
                continue
            taken += len(chunk)
            answer.write(chunk)
    except ConnectionResetError:
        pass
